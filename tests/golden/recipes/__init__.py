"""How the entries of the golden files were made: one file per engine, or per session of one."""
