"""Running engines that are asked of views where they are, and never made to run them."""
