"""The core: the standard model, the formats of stored views, and what is done with them."""

__version__ = "0.1.0"
