"""What `doctor` looks at from where the work is done."""
