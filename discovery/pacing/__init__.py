"""How a crawl spares the systems that it reads, and how long it takes."""
