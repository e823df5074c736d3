"""Which views are used: the logs of engines, read on executors into tables of a run."""
