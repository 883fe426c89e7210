"""Draws positions of the code desk for every kind of feedback."""

from typing import Any

from hypothesis import strategies as st

from reference import code as slow

KINDS = ("full", "exact", "order", "keep", "sum")
RULES = [(2, 4, True), (3, 3, True), (3, 4, False), (4, 3, True)]


def clue_of(feedback: str, guess: str, secret: str) -> dict[str, Any]:
    text = slow.answer_text(feedback, guess, secret)
    if feedback == "order":
        return {"guess": guess, "marks": text}
    if feedback == "sum":
        return {"guess": guess, "sum": int(text[0]), "won": text.endswith("!")}
    return {"guess": guess, "exact": int(text[0]), "partial": int(text[2])}


@st.composite
def games(draw: st.DrawFn) -> tuple[dict[str, Any], list[str], list[str], list[str]]:
    """A position, all codes, those that fit, and the texts of the answers."""
    feedback, (pegs, colours, repeat) = draw(st.sampled_from(KINDS)), draw(st.sampled_from(RULES))
    every = slow.codes(pegs, colours, repeat)
    secret = draw(st.sampled_from(every))
    guesses = draw(st.lists(st.sampled_from(every), max_size=2))
    clues = [clue_of(feedback, guess, secret) for guess in guesses]
    texts = [slow.answer_text(feedback, guess, secret) for guess in guesses]
    left = every
    for guess, text in zip(guesses, texts, strict=True):
        left = [s for s in left if slow.answer_text(feedback, guess, s) == text]
    rules = {"pegs": pegs, "colours": colours, "repeat": repeat, "feedback": feedback}
    return {"rules": rules, "clues": clues}, every, left, texts


@st.composite
def priors(draw: st.DrawFn, every: list[str]) -> tuple[dict[str, Any], dict[str, int]]:
    """A prior and the weight of every code; often none, so that all weigh 1."""
    if draw(st.booleans()):
        return {}, dict.fromkeys(every, 1)
    one_colour = "0" * len(every[0])
    kinds = {one_colour: draw(st.integers(0, 4))} if one_colour in every else {}
    codes = draw(st.dictionaries(st.sampled_from(every), st.integers(0, 9), max_size=4))
    alike = {c: kinds.get(one_colour, 1) if len(set(c)) == 1 else 1 for c in every}
    return {"prior": {"kinds": kinds, "codes": codes}}, alike | codes
