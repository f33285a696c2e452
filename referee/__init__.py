"""referee: replays play-by-post battles and shows staff where the numbers do not add up."""

__version__ = "0.1.0"
