"""scrapers/boards."""
