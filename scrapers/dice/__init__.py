"""scrapers/dice."""
