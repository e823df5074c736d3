"""From what other tools know of an estate to a first `estate.yaml`."""
