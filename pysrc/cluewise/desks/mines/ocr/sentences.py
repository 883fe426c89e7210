"""A board that was read from a screenshot and its doubts, in sentences."""

from __future__ import annotations

from cluewise.core.text import pluralize
from cluewise.desks.mines.cell_names import cells_text, group_text
from cluewise.desks.mines.position import graph
from cluewise.desks.mines.results import Photo


def summary(found: Photo) -> str:
    """Return how many tiles were read and what they show."""
    position = found.position
    board = graph(position)
    return (
        f"{pluralize(board.cells, found.tiles + ' tile')}: {len(position.revealed)} open, "
        f"{pluralize(len(position.flags), 'flag')}, {pluralize(len(board.groups), 'count')}."
    )


def sentences(found: Photo) -> list[str]:
    """Return what deserves a look, a sentence a line; nothing where all is clear."""
    position = found.position
    board = graph(position)
    out = [] if found.consistent else ["Check the whole board: as read, no layout of mines fits."]
    if found.doubtful:
        out.append(f"Check {cells_text(position, found.doubtful)}.")
    out += [
        f"Check the count {board.groups[k].count} of {group_text(position, board, k)}."
        for k in found.doubtful_groups
    ]
    out += [f"Not read: the count of {cells_text(position, one.cells)}." for one in found.unread]
    out += [
        f"Not used: the number {one.number} at {one.at[0]:.0f}, {one.at[1]:.0f} in the picture."
        for one in found.unplaced
    ]
    out += [
        f"Without a count: {one.colour.lower()}, {cells_text(position, one.cells)}."
        for one in found.uncounted
    ]
    return out
