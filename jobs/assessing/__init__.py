"""The stage that assesses: verdicts, references, findings, waves, the matrix."""
