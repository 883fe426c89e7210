"""The bundled puzzles."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.puzzles import bundled
from cluewise.desks.mines.results import Examples


def examples(position: Position, options: NoOptions) -> Job[Examples]:
    """All bundled puzzles, from easy to fiendish."""
    yield from ()
    return Examples(list(bundled()))
