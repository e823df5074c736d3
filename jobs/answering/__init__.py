"""What a run answers to questions, without Spark: read once, then from memory."""
