"""Data quality of a run: suites of Great Expectations over its tables."""
