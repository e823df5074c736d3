"""The stage that reports: rows, sums, comparisons, files."""
