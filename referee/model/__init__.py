"""The vocabulary of the project: frozen records, standard library only."""
