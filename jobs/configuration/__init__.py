"""The configuration: `estate.yaml`, what it may say and how it is read."""
