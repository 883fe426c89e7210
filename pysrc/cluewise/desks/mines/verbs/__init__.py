"""One module a verb: questions to answers."""
