"""Engines' own parsers as judges: each file names an engine, its jars and the call that parses."""
