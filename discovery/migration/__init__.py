"""Where views go, what becomes of them there, and how that is written."""
