"""Which views are used: what the engines' own logs say of it, and what that proves."""
