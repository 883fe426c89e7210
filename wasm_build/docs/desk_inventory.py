"""The verbs of the five desks side by side, as a Markdown table for web/docs/dev/desks.md.

The verbs come from the desks. Which verbs serve the same purpose, and why a desk differs, is stated
here; tests/unit/test_contributing.py checks that no verb is missing.
"""

from __future__ import annotations

from cluewise import desks

# A purpose, its verbs by desk, and why they differ.
IDEAS: tuple[tuple[str, dict[str, str], str], ...] = (
    (
        "what to do next",
        {"code": "advise", "rack": "indicate cuts", "scan": "next route", "mines": "hint guess"},
        "a rack turn indicates or cuts a wire; a route is `next` to its end; a hint comes in "
        "steps; sudoku compares boards and does not play",
    ),
    (
        "what is still possible",
        {
            "code": "remaining", "rack": "posterior", "scan": "classes", "mines": "solve",
            "sudoku": "solve",
        },
        "codes, chances of wires, areas of the map, cells, boards; the count is named by its "
        "game (`count`, `arrangements`, `remaining`, `solutions`)",
    ),
    (
        "what is equivalent",
        {
            "code": "classes equivalent relations",
            "sudoku": "same canon automorphisms table compare nearest group duplicates unavoidable "
            "views",
        },
        "sudoku is about equivalence; scan's classes are its map; slots and cells of the others "
        "are never equivalent guesses",
    ),
    ("why", {"mines": "explain proof"}, "elsewhere the result includes its reason"),
    (
        "conflicting clues",
        {"code": "doubt", "rack": "doubt", "scan": "doubt", "mines": "doubt"},
        "sudoku's `solve` names the two cells that conflict; `smallest` holds row numbers (code), "
        "facts with their place (rack), clue names (mines)",
    ),
    (
        "text in",
        {
            "code": "paste", "rack": "shorthand", "scan": "paste walls", "mines": "read photo",
            "sudoku": "paste photo",
        },
        "`photo` reads a picture; `shorthand` works both ways; `walls` reads a grid; `read` is "
        "the older name",
    ),
    (
        "text out",
        {
            "code": "write", "rack": "shorthand", "scan": "write pack", "mines": "write campaign",
            "sudoku": "export",
        },
        "`export` is the older name; `campaign` writes several puzzles as one archive",
    ),
    (
        "a new position",
        {
            "code": "deal", "rack": "deal mission", "scan": "practice regions",
            "mines": "generate examples", "sudoku": "make generate puzzle disguise grid number",
        },
        "missions and regions are given by the game, a grid by its number",
    ),
    (
        "playing on",
        {
            "code": "judge review check", "rack": "outcome use partner review",
            "scan": "listen review", "mines": "review check",
        },
        "what the game says: an answer, the result of a cut, a pulse, a wrong flag; on the "
        "code desk `check` plays every code with a strategy",
    ),
    (
        "how hard, how long",
        {
            "code": "strategy counts states game", "rack": "simulate games", "scan": "fewest rate",
            "mines": "rate author",
        },
        "the game's own measure: guesses, information, games won, scans, rounds; `author` rates "
        "a board in the editor",
    ),
)  # fmt: skip


def verbs() -> str:
    """Return the table: every verb of every desk once, one purpose a row."""
    lines = [
        _row("purpose", *desks.NAMES, "differences"),
        _row(*["---"] * (len(desks.NAMES) + 2)),
    ]
    for purpose, by_desk, why in IDEAS:
        cells = [_code(by_desk.get(name, "")) for name in desks.NAMES]
        lines.append(_row(purpose, *cells, why))
    return "".join(lines)


def _code(names: str) -> str:
    return " ".join(f"`{name}`" for name in names.split()) or "–"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"
