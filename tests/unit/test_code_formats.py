"""Texts: histories of this and other programs, signs, printed strategies."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import vectors
from cluewise import desks
from cluewise.cli.desks import code as terminal
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.formats.history import read_history, write_history
from cluewise.desks.code.formats.rows import read_line
from cluewise.desks.code.position import Position, Rules
from cluewise.desks.code.tree import Branch, steps_of, tree_text
from cluewise.errors import BadInput
from cluewise.functions import functions_of
from cluewise.service import run

CASES = vectors("code_formats")

MASTERMIND = Rules()


def test_clues_above_the_limit_of_a_position_are_bad_lines() -> None:
    pasted = read_history(Position(MASTERMIND), "0011 1A2B\n" * 70)
    assert len(pasted.clues) == 64
    assert [b.line for b in pasted.bad] == list(range(65, 71))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    pegs, colours = draw(st.integers(1, 8)), draw(st.integers(1, 16))
    repeat = draw(st.booleans()) or pegs > colours
    feedback = draw(st.sampled_from(["full", "exact"]))
    rules = Rules(pegs, colours, repeat, draw(st.booleans()), feedback)  # type: ignore[arg-type]  # a Literal
    clues = []
    for _ in range(draw(st.integers(0, 4))):
        symbols = rules.symbols if repeat else draw(st.permutations(rules.symbols))
        guess = "".join(
            draw(st.sampled_from(symbols)) if repeat else symbols[i] for i in range(pegs)
        )
        if rules.blanks and draw(st.booleans()):
            guess = "." + guess[1:]
        clues.append(Clue(guess, *draw(st.sampled_from(rules.answers())), draw(st.booleans())))
    return Position(rules, tuple(clues))


@given(positions())
@settings(deadline=None, max_examples=300)
def test_history_survives_writing_and_reading(position: Position) -> None:
    pasted = read_history(Position(position.rules), write_history(position))
    assert pasted.bad == []
    assert tuple(pasted.clues) == position.clues


@given(positions(), st.text(max_size=60))
@settings(deadline=None, max_examples=300)
def test_any_text_gives_valid_clues_or_reasons(position: Position, text: str) -> None:
    pasted = read_history(Position(position.rules), text)
    for clue in pasted.clues:
        assert len(clue.guess) == position.rules.pegs
        assert clue.ignored or (clue.exact, clue.partial) in position.rules.answers()
    for bad in pasted.bad:
        assert bad.why


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("0011 1A1B\n00112 0A2B\n01234 1 1", None),  # four pegs and five: no rules hold both
        ("0011 1A1B\n0017 1A2B", Rules(4, 8)),
        ("00112 1A1B\n70112 0 2", Rules(5, 8)),
        ("0123 1A1B\n0987 1A2B", Rules(4, 10, repeat=False)),
        ("01.1 1A1B\n0011 1A2B", Rules(4, 6, blanks=True)),
    ],
)
def test_rows_of_other_rules_are_never_read_partially(text: str, rules: Rules | None) -> None:
    pasted = read_history(Position(MASTERMIND), text)
    assert pasted.clues == []
    assert pasted.bad
    whole = [reading for reading in pasted.instead if not reading.missed]
    assert [reading.rules for reading in whole] == ([] if rules is None else [rules])
    for reading in pasted.instead:
        again = read_history(Position(reading.rules), text)
        assert reading.clues == [c for c in map(_parser_of(reading.rules), text.splitlines()) if c]
        assert reading.missed == len(text.splitlines()) - len(reading.clues)
        assert reading.missed or again.clues == reading.clues


def _parser_of(rules: Rules) -> Callable[[str], Clue | None]:
    def read(line: str) -> Clue | None:
        found = read_line(rules, line)
        return found if isinstance(found, Clue) else None

    return read


def test_functions_accept_a_text_as_position() -> None:
    found = functions_of("code")["remaining"]("RGBY ++-\nRRGO --\n")
    assert found.count == 8
    assert functions_of("code")["remaining"]("0011 1A1B").count == 208
    with pytest.raises(BadInput, match="Line 2"):
        functions_of("code")["remaining"]("0011 1A1B\n0012 9A1B")


def test_functions_accept_guesses_in_the_signs_of_the_position() -> None:
    position = {"signs": list("RGBYOP"), "clues": [{"guess": "0011", "exact": 1, "partial": 1}]}
    verbs = functions_of("code")
    assert verbs["advise"](position, mine="RGBY", top=1).mine.guess == "0123"
    dealt = verbs["deal"](position, secret="R G B Y").position
    assert "0123" not in str(dealt)
    assert verbs["judge"](dealt, guess="rgyb").answer == "2A2B"


PLAIN_ROW = {"guess": "0012", "exact": 1, "partial": 1}


@pytest.mark.parametrize(
    ("position", "verb", "options", "plain"), CASES["options take guesses in signs"]
)
def test_options_accept_guesses_in_signs(
    position: dict[str, Any], verb: str, options: dict[str, Any], plain: dict[str, Any]
) -> None:
    ask = functions_of("code")[verb]
    assert ask(position, **options) == ask(position, **plain)


@pytest.mark.parametrize(
    "position", CASES["json takes guesses in signs and the names of other programs"]
)
def test_json_accepts_signs_and_field_names_of_other_programs(position: Any) -> None:
    ask = functions_of("code")["remaining"]
    assert ask(position) == ask({"clues": [PLAIN_ROW]})


@pytest.mark.parametrize(("position", "reason"), CASES["json that cannot be read is refused"])
def test_unreadable_json_is_refused(position: Any, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        functions_of("code")["remaining"](position)


KINDS: list[dict[str, Any]] = CASES["pasted"]


def paste(position: dict[str, Any], text: str) -> Any:
    options = {"text": text}
    return run({"desk": "code", "want": "paste", "position": position, "options": options})


def rows(clues: list[dict[str, Any]]) -> list[str]:
    halves = [(c["guess"], c["exact"], c.get("partial", 0)) for c in clues]
    return [
        f"{g} {'?' if x is None else x}A{'?' if y is None else y}B" for g, x, y in halves
    ]  # fmt: skip


def test_pasted_histories_have_at_least_60_sources() -> None:
    assert len({kind["source"] for kind in KINDS}) >= 60


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["source"][:50])
def test_history_of_another_site_is_read_or_refused_with_its_place(
    kind: dict[str, Any],
) -> None:
    found = paste(kind["position"], kind["text"])
    assert rows(found["clues"]) == kind.get("rows", [])
    assert found["signs"] == kind.get("signs", [])
    assert [[b["line"], b["column"]] for b in found["bad"]] == kind.get("bad", [])
    assert all(b["why"].endswith(".") for b in found["bad"])
    if "instead" in kind:
        first = found["instead"][0]
        assert {"rules": first["rules"], "signs": first["signs"], "rows": rows(first["clues"])} == (
            kind["instead"]
        )
    else:
        assert found["instead"] == []


def test_signs_are_inferred_only_without_clues_in_the_position() -> None:
    clue = {"guess": "0011", "exact": 1}
    found = paste({"clues": [clue]}, "RGBY 1 1")
    assert found["clues"] == []
    assert found["signs"] == []
    assert [(r["rules"], r["signs"]) for r in found["instead"]] == [({}, list("RGBYOP"))]


@pytest.mark.parametrize(
    "signs",
    [list("123456"), list("RGBYOP"), ["red", "green", "blue", "yellow", "orange", "purple"],
     list("🔴🟢🔵🟡🟠🟣"), list("ABCDEF")],
)  # fmt: skip
def test_history_in_signs_survives_writing_and_reading(signs: list[str]) -> None:
    clues = (Clue("0123", 1, 2), Clue("4455", 0, 1, True), Clue("5040", 2, None))
    position = Position(Rules(), clues, signs=tuple(signs))
    text = write_history(position)
    assert signs[4] in text
    found = paste({"signs": signs}, text)
    assert found["bad"] == []
    assert rows(found["clues"]) == [f"{c.guess} {c.answer}" for c in clues]


SMALL = {"rules": {"pegs": 3, "colours": 3}}


def test_every_verb_has_a_table() -> None:
    shown = {name.removeprefix("show_") for name in vars(terminal) if name.startswith("show_")}
    assert shown == {verb.name for verb in desks.load("code").verbs}


def test_tree_is_printed_and_survives_json() -> None:
    options = {"criterion": "entropy", "tree": True}
    found = run({"desk": "code", "want": "strategy", "position": SMALL, "options": options})
    tree = msgspec.json.decode(msgspec.json.encode(found["tree"]), type=Branch)
    lines = list(tree_text(tree))
    assert lines[0] == f"{tree.guess} (27)"
    assert len(lines) == 1 + sum(line.startswith("  ") for line in lines)
    assert steps_of(tree) == found["histogram"]
