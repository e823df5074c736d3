"""Who may do what with views, as sources say it: read into one vocabulary, and compared."""
