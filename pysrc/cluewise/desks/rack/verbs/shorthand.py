"""The verb `shorthand`: reads and writes stands as text, one per line (notation: `stand.py`)."""

from __future__ import annotations

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.position import Position, Wires, check
from cluewise.desks.rack.results import Shorthand, ShorthandOptions
from cluewise.desks.rack.stand import Stand
from cluewise.errors import BadNotation, BadPosition


def read_stands(text: str, position: Position) -> tuple[Stand, ...]:
    """Read the stands of a text; owners and missing names are those of `position`.

    Raises BadNotation, `where` as `line 2, slot 5`.
    """
    lines = [line for line in text.replace(";", "\n").splitlines() if line.strip()]
    stands = []
    for n, line in enumerate(lines):
        stand = Stand.parse(line, n + 1)
        old = position.stands[n] if n < len(position.stands) else Stand()
        stands.append(msgspec.structs.replace(stand, owner=old.owner, name=stand.name or old.name))
    return tuple(stands)


def read_table(text: str) -> Position:
    """Read a table from its stands, the viewer's first: `read_table("?1 ?2 2\\n? 2 ?")`.

    In play are blue 1 to 12 and the yellow and red wires named in the text.
    """
    stands = read_stands(text, Position())
    names = sorted({slot.wire for stand in stands for slot in stand.slots if slot.wire})
    yellow, red = (tuple(n for n in names if n[0] == letter) for letter in "YR")
    return Position(wires=Wires(yellow=yellow, red=red), stands=stands)


def shorthand(position: Position, options: ShorthandOptions) -> Job[Shorthand]:
    """Return the stands as text, one per line; with `text`, first replace them by those read."""
    yield Progress(0, 1, "reading")
    if options.text is not None:
        stands = read_stands(options.text, position)
        sizes = [len(stand.slots) for stand in stands]
        agreed = tuple(
            t for t in position.agreed if t.stand < len(sizes) and t.slot < sizes[t.stand]
        )
        same = sizes == [len(stand.slots) for stand in position.stands]
        choices = position.choices if same or position.choices is None else ()
        position = msgspec.structs.replace(position, stands=stands, agreed=agreed, choices=choices)
        try:
            check(position)
        except BadPosition as problem:
            raise BadNotation(problem.message, problem.where) from None
    return Shorthand([str(stand) for stand in position.stands], position)
