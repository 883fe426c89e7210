"""One module a verb: what each question of the desk answers."""
