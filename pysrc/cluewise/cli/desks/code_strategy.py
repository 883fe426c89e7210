"""Terminal tables of strategies: totals, faults, and the comparison of two."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from cluewise.cli.desks import plain_table
from cluewise.desks.code import results as r
from cluewise.desks.code.position import Position
from cluewise.desks.code.tree import tree_text


def show_strategy(position: Position, result: r.Strategy) -> RenderableType:
    """Render the totals and the histogram, and the tree if it is in the result."""
    head = f"{_guesses(result)} over {result.codes:,} codes: {result.average:.4f} "
    head += f"on average, at most {result.worst}."
    if not result.proved:
        head += f" Not proved to be best; no strategy takes less than {result.bound:,}."
    lines: list[RenderableType] = [Text(head), _histogram(result.histogram)]
    if result.game:
        turns = plain_table("guess", "answer", ">codes left")
        for turn in result.game:
            turns.add_row(position.spelled(turn.guess), turn.answer, f"{turn.left:,}")
        lines.append(turns)
    if result.tree is not None:
        lines.append(Text("\n".join(tree_text(result.tree)), no_wrap=True))
    return Group(*lines)


def _guesses(result: r.Strategy | r.CheckedStrategy) -> str:
    """Return the total: `5,625 guesses`, with weights of codes `640 weighted guesses`."""
    return f"{result.total:,} {'guesses' if result.weight is None else 'weighted guesses'}"


def show_check(position: Position, result: r.CheckedStrategy) -> RenderableType:
    """Render the totals and faults of each strategy, and the comparison of two."""
    lines: list[RenderableType] = []
    for number, one in enumerate([result, *([result.other] if result.other else [])], 1):
        name = f"Strategy {number}: " if result.other else ""
        average = "" if one.average is None else f", {one.average:.4f} on average"
        head = f"{name}{_guesses(one)} over {one.found:,} of {one.codes:,} codes{average}, "
        lines.append(Text(f"{head}at most {one.worst}."))
        lines.append(_histogram(one.histogram))
        if one.lost:
            codes = " ".join(position.spelled(code) for code in one.lost_codes)
            more = " …" if one.lost > len(one.lost_codes) else ""
            lines.append(Text(f"Codes not found ({one.lost:,}): {codes}{more}"))
        lines += (Text(f"Line {p.line}, column {p.column}: {p.message}") for p in one.problems)
        if one.faults > len(one.problems):
            lines.append(Text(f"… and {one.faults - len(one.problems):,} more faults."))
    if found := result.comparison:
        lines.append(
            Text(
                f"Strategy 1 is faster for {found.sooner:,} codes, strategy 2 for {found.later:,}, "
                f"{found.same:,} are equal."
            )
        )
        table = plain_table("code", ">strategy 1", ">strategy 2")
        for code, steps in found.examples.items():
            table.add_row(position.spelled(code), *map(str, steps))
        if found.examples:
            lines.append(table)
    return Group(*lines)


def _histogram(codes: Sequence[int]) -> RenderableType:
    table = plain_table(">guesses", ">codes")
    for number, found in enumerate(codes, 1):
        table.add_row(str(number), f"{found:,}")
    return table


def summed(result: r.Strategy) -> tuple[str, ...]:
    """Return the cells of a strategy's row in the table of a folder."""
    average = f"{result.average:.4f}"
    return f"{result.codes:,}", f"{result.total:,}", average, str(result.worst)
