"""Terminal texts of the mines desk: ratings and wishes of puzzles, doubts about pictures."""

from __future__ import annotations

from rich.console import Group, RenderableType

from cluewise.core.results import pluralize
from cluewise.desks.mines.cell_names import cells_text, group_text, join_names
from cluewise.desks.mines.position import Position, graph
from cluewise.desks.mines.rating import (
    TECHNIQUES,
    Lack,
    Move,
    Published,
    Rated,
    Scored,
    Wished,
)
from cluewise.desks.mines.results import Photo


def show_rate(_position: Position, result: Rated) -> RenderableType:
    """Render both ratings and the curve of rounds."""
    guess = "No guess is needed" if result.no_guess else "A guess is needed"
    if result.closure_solves:
        closure = f"inequalities solve it, smooth score {result.smooth or 0:.2f}"
    elif result.solves_with:
        closure = f"inequalities solve it with --inexact-rounds {result.solves_with}"
    else:
        closure = "inequalities of pairs do not solve it"
    cap = " Wide sets were left out (--cap)." if result.capped else ""
    curve = "".join("▁▂▃▄▅▆▇█"[min(step, 8) - 1] for step in result.steps)
    lines = [f"{guess}: {pluralize(result.waves, 'wave')}; {closure}.{cap}",
             f"rounds: {' '.join(map(str, result.steps)) or '–'}", curve]  # fmt: skip
    if (one := result.hardest) is not None:
        hardest = f"{one.technique} of length {one.length} ({one.level})"
        lines.insert(0, f"Hardest deduction: {hardest}.")
    return Group(
        *lines, *_published_lines(result.published),
        *_path_lines(result.path, result.thought), *_wish_lines(result.wished),
    )  # fmt: skip


def _path_lines(path: list[Move] | None, thought: int | None) -> list[str]:
    """Return the moves of each kind on the easiest path, its hardest move and its curve."""
    if not path:
        return []
    kinds = [TECHNIQUES.index(move.technique) for move in path]
    kinds_text = [f"{kinds.count(k)} {name}" for k, name in enumerate(TECHNIQUES) if k in kinds]
    hard = max(range(len(path)), key=lambda i: (kinds[i], path[i].length))
    most = f"{path[hard].technique} of length {path[hard].length}, move {hard + 1}"
    curve = "".join("▁▂▃▄▅▆▇█"[min(kind, 7)] for kind in kinds)
    asked = "" if thought is None else f"; thought {thought}"
    moves = f"{pluralize(len(path), 'move')}, {join_names(kinds_text)}"
    return [f"easiest way: {moves}; hardest: {most}{asked}", curve]


def _wish_lines(found: Wished | None) -> list[str]:
    """Return whether a puzzle meets the wish; if it is new, also the other candidates."""
    if found is None:
        return []
    lines = [f"{'As' if found.met else 'Not as'} wished: {found.wish}"]
    lines += [f"  {lack_text(lack)}" for lack in found.lacks]
    if found.looked:
        kinds = join_names([f"{n} {kind}" for kind, n in found.hardest.items()])
        rest = f"; the hardest move of those without a guess: {kinds}." if kinds else "."
        lines.append(f"{pluralize(found.looked, 'candidate')} looked at{rest}")
    for row in found.kept[1:]:
        kinds = join_names([f"{n} {kind}" for kind, n in row.kinds.items()])
        lines.append(f"  also near: {kinds}; {join_names([lack_text(lack) for lack in row.lacks])}")
    return lines


def lack_text(lack: Lack) -> str:
    """Return an unmet condition of a wish: `2 sum moves instead of 3`."""
    if lack.kind == "deep":
        return f"{pluralize(lack.found, 'move')} harder than {lack.technique}"
    if lack.kind == "wide":
        return f"a move rests on {lack.found} counts instead of at most {lack.wanted}"
    if lack.kind == "falling":
        return "it does not get harder towards the end"
    return f"{pluralize(lack.found, f'{lack.technique} move')} instead of {lack.wanted}"


def _published_lines(scale: Published | None) -> list[str]:
    """Return the scores on the scale published in 2018, if the result contains them."""
    if scale is None:
        return []
    rows: list[tuple[str, Scored]] = [("published scale", scale)]
    if scale.allowed is not None:
        rows.append((f"published scale {_allowance(scale.allowed.inexact_rounds)}", scale.allowed))
    lines = []
    for name, one in [*rows, ("order-free", scale.order_free)]:
        score = "no score (-1)" if one.score < 0 else f"{one.score:.2f}"
        lines.append(f"{name}: {score}; rounds: {' '.join(map(str, one.steps))}")
    return lines


def _allowance(rounds: int) -> str:
    """Return `with 2 inexact rounds in a row`; a negative number means no limit."""
    if rounds < 0:
        return "without a limit of inexact rounds"
    return f"with {pluralize(rounds, 'inexact round')} in a row"


def picture_summary(found: Photo) -> str:
    """Return how many tiles were read and what they show."""
    position = found.position
    board = graph(position)
    return (
        f"{pluralize(board.cells, found.tiles + ' tile')}: {len(position.revealed)} open, "
        f"{pluralize(len(position.flags), 'flag')}, {pluralize(len(board.groups), 'count')}."
    )


def picture_doubts(found: Photo) -> list[str]:
    """Return a sentence per doubtful part of the picture."""
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
