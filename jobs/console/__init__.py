"""What every command does alike: arguments, errors, exit codes, progress, the Spark session."""
