"""When a post was written and edited, as pages say it: dates in many languages, zones, clocks."""
