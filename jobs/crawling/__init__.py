"""The stage that crawls: lists, fetches, reads, reconciles."""
