"""A post's body as a board shows it, to typed blocks: the same for all forum software."""
