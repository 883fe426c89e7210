"""Terminal tables of the mines desk, and its commands for .puz files, pictures and folders."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.console import Group, RenderableType
from rich.table import Table

from cluewise.cli import Json
from cluewise.cli.bulk import answers, run_for_each
from cluewise.cli.desks.mines_text import picture_doubts, picture_summary, show_rate
from cluewise.cli.drive import ask, finished, print_position, print_result, request
from cluewise.cli.files import files_in, read_text_lenient, write_file
from cluewise.cli.parallel_flags import ParallelFlags, with_parallel_flags, workers
from cluewise.cli.pictures import SUFFIXES as PICTURES
from cluewise.cli.pictures import print_pictures, read_picture
from cluewise.core.results import Written, pluralize
from cluewise.desks.mines import results as r
from cluewise.desks.mines.cell_names import cell_name, cells_text, clue_text, join_names
from cluewise.desks.mines.formats import read
from cluewise.desks.mines.formats.puz.write import write_puz
from cluewise.desks.mines.position import Position, Rectangle, graph
from cluewise.desks.mines.rating import Rated
from cluewise.desks.mines.results import Guess, Photo, Review
from cluewise.errors import BadInput

SUFFIXES = (".hexcells", ".json", ".mine", ".puz", ".txt")
_MOST = 40
_LONGER = 1920  # pixels of a screenshot's longer side


def show_solve(position: Position, result: r.Solved) -> RenderableType:
    """Render the forced cells and the number of layouts; on rectangles also a grid of chances."""
    count = result.solutions
    layouts = f"{'' if result.exact else 'about '}{pluralize(count or 0, 'layout')}"
    fit = "fits" if str(count) == "1" else "fit"
    said = f"{layouts} {fit}" + ("." if result.exact else " (an estimate).")
    parts: list[RenderableType] = [
        "Too many layouts to count; what is decided is complete all the same."
        if count is None
        else said
    ]
    for name, cells in (("safe", result.safe), ("mines", result.mines)):
        spoken = join_names([cell_name(position, c) for c in cells[:_MOST]])
        more = f" and {len(cells) - _MOST} more" if len(cells) > _MOST else ""
        parts.append(f"{name:>5}: {spoken}{more}")
    if result.error is not None:
        parts.append(
            "Chances are estimates with a standard error of up to "
            f"{100 * result.error:.1f} points; --json has bounds that hold."
        )
    if position.board is not None:
        parts.append(_grid(position.board, position, result.probability))
    return Group(*parts)


def _grid(board: Rectangle, position: Position, chances: list[float | None]) -> Table:
    opened = {c.cell: "?" if c.number is None else str(c.number) for c in position.revealed}
    opened |= dict.fromkeys(position.flags, "⚑")
    grid = Table.grid(padding=(0, 1))
    for y in range(board.height):
        row = []
        for cell in range(y * board.width, (y + 1) * board.width):
            chance = chances[cell]
            known = opened.get(cell, "·")
            row.append(f"[dim]{known:>3}[/]" if chance is None else f"{100 * chance:3.0f}")
        grid.add_row(*row)
    return grid


def show_explain(position: Position, result: r.Explained) -> RenderableType:
    """Render the verdict, the clues and the steps."""
    if result.verdict == "open":
        return "Both are possible: the clues do not decide this cell."
    board = graph(position)
    verdict = "It is safe." if result.verdict == "safe" else "It is a mine."
    clues = "; ".join(clue_text(position, board, name) for name in result.clues)
    lines = [f"{i + 1}. {step.text}" for i, step in enumerate(result.steps)]
    return Group(verdict, f"Clues: {clues or 'none but the open cells'}.", *lines)


def show_proof(_position: Position, result: r.Proof) -> RenderableType:
    """Render the formula, then the proof; with --json they are separate fields."""
    return f"{result.formula}\n{result.proof}"


def show_hint(position: Position, result: r.Hint) -> RenderableType:
    """Render the parts of the hint that the result contains."""
    if result.wrong_flag:
        return "A flag is wrong. Remove it first; `doubt` says which clues it clashes with."
    if not result.move:
        return "No cell is decided: the next move is a guess; `guess` compares the cells."
    lines = ["There is a move."]
    if result.cells is not None:
        lines.append(f"Here: {cells_text(position, result.cells)}.")
    if result.clues is not None:
        board = graph(position)
        spoken = [clue_text(position, board, n) for n in result.clues]
        lines.append(f"These clues decide: {'; '.join(spoken) or 'the open cells'}.")
    if result.steps is not None:
        lines += [step.text for step in result.steps]
    return Group(*lines)


def show_guess(position: Position, result: Guess) -> RenderableType:
    """Render the candidates, best first: by chance to win, or else by chance of a mine."""
    if not result.options:
        return "No cell is left to open."
    names = {o.cell: cell_name(position, o.cell) for o in result.options}
    first = result.options[0]
    if result.win is not None:
        lead = f"Best: {names[first.cell]}, {100 * result.win:.1f} % to win."
    elif result.safest is not None:
        lead = f"Least likely a mine: {names[result.safest]}."
    table = Table("cell", "no mine", "to win", "at least", "at most")
    for option in result.options[:_MOST]:
        shares = (option.safe, option.win, option.low, option.high)
        table.add_row(names[option.cell],
                      *("–" if x is None else f"{100 * x:.1f} %" for x in shares))  # fmt: skip
    rest = len(result.options) - _MOST
    more = [f"and {pluralize(rest, 'more cell')}"] if rest > 0 else []
    return Group(lead, table, *more)


def show_review(position: Position, result: Review) -> RenderableType:
    """Render each press with its chances, then the totals of luck and mistakes."""
    table = Table("", "cell", "mine risk", "win before", "decision", "luck", "win after", "")
    for i, one in enumerate(result.presses):
        said = {
            "certain": "certain",
            "best": "best guess",
            "mistake": "mistake",
            "risky": "needless risk",
            "open": "",
        }[one.kind]
        if one.best is not None:
            said += f": {cell_name(position, one.best)} was better"
        table.add_row(
            str(i + 1), cell_name(position, one.cell) + (" (mine)" if one.mine else ""),
            *(_percent(x) for x in (one.risk, one.before)),
            *(_percent(x, "+") for x in (one.decision, one.luck)), _percent(one.after), said,
        )  # fmt: skip
    ended = {"won": "Won.", "lost": "A mine was opened.", "open": "Not finished."}[result.ended]
    total = (f"Mistakes: {result.mistakes}, {_percent(result.decisions, '+')}. "
             f"Luck: {_percent(result.luck, '+')}.")  # fmt: skip
    alive = [] if result.survival is None else [
        f"Chance to open no mine with these presses: {_percent(result.survival)}."
    ]  # fmt: skip
    return Group(table, f"{ended} {total}", *alive)


def _percent(share: float | None, sign: str = "") -> str:
    return "–" if share is None else f"{100 * share + 0:{sign}.1f} %"


def show_author(position: Position, result: r.Authored) -> RenderableType:
    """Render the closed regions, and the repairs of one of them."""
    curve = f"rounds: {' '.join(map(str, result.steps)) or '–'}"
    if result.no_guess:
        score = "no score" if result.smooth is None else f"smooth score {result.smooth:.2f}"
        return Group(f"No guess is needed: {pluralize(result.waves, 'wave')}; {score}.", curve)
    lines = [f"Stuck after {pluralize(result.waves, 'wave')}.", curve]
    lines += [f"closed: {cells_text(position, region)}" for region in result.stuck]
    for one in result.repairs or ():
        what = {"number": "show the number at", "open": "open at the start:",
                "clear": "no mine at", "mine": "a mine at"}[one.kind]  # fmt: skip
        rest = "frees it" if not one.left else f"leaves {one.left} of it closed"
        more = ", and the board needs no guess" if one.no_guess else ""
        lines.append(f"{what} {cell_name(position, one.cell)}: {rest}{more}")
    return Group(*lines)


def show_generate(position: Position, result: Position) -> RenderableType:
    """Render the rating of the new puzzle; --json prints the puzzle."""
    rating = result.rating
    if rating is None:
        return "The best puzzle so far is not rated yet; --json prints it."
    lines: list[RenderableType] = [show_rate(position, rating)]
    if rating.hit is False:
        score = rating.smooth
        found = "no score" if score is None else f"{score:.2f}"
        lines.append(f"Asked for {rating.wanted}, the nearest that was found has {found}.")
    return Group(*lines, "--json prints the puzzle.")


def show_check(_position: Position, result: r.Checked) -> RenderableType:
    """Render whether a flag is wrong."""
    return {"yes": "A flag is wrong.", "no": "No flag is wrong.",
            "unsure": "The clues do not say."}[result.wrong]  # fmt: skip


def show_examples(_position: Position, result: r.Examples) -> RenderableType:
    """Render the list of bundled puzzles."""
    table = Table("title", "level", "board", "cells", "mines", "smooth")
    for row in result.puzzles:
        score = row.rating.smooth
        table.add_row(row.title, row.level, row.kind, str(row.cells),
                      str(row.mines), "–" if score is None else f"{score:.1f}")  # fmt: skip
    return table


def show_write(_position: Position, result: Written) -> RenderableType:
    """Return the file's text."""
    return str(result.text)


def show_doubt(position: Position, result: r.Doubt) -> RenderableType:
    """Render the conflicts and their repairs, or the redundant clues."""
    board = graph(position)

    def spoken(names: list[str]) -> str:
        return ", ".join(clue_text(position, board, n) for n in names)

    if not result.contradiction:
        extra = spoken(result.redundant)
        return "The clues hold together." + (
            f" Each of these follows from all the others: {extra}." if extra else ""
        )
    lines = [f"These cannot all hold: {spoken(s)}." for s in result.smallest]
    for repair in result.repairs:
        count = repair.remaining
        left = "layouts that were not counted" if count is None else pluralize(count, "layout")
        change = "without it" if repair.value is None else f"{repair.value} instead"
        lines.append(f"{spoken([repair.clue])}: {change} leaves {left}.")
    return Group(*lines)


def _solved_row(result: r.Solved) -> tuple[str, ...]:
    return result.solutions or "–", str(len(result.safe)), str(len(result.mines))


def _rated_row(result: Rated) -> tuple[str, ...]:
    score = "–" if result.smooth is None else f"{result.smooth:.2f}"
    return "yes" if result.no_guess else "no", str(result.waves), str(len(result.steps)), score


FOLDERS: dict[str, tuple[tuple[str, ...], Callable[[Any], tuple[str, ...]]]] = {
    "solve": (("layouts", "safe", "mines"), _solved_row),
    "rate": (("no guess", "waves", "steps", "smooth"), _rated_row),
}


# ---------------------------------------------------------------- files and folders


def extend(app: typer.Typer) -> None:
    """Add the commands for files, screenshots and folders."""
    app.command("import")(import_file)
    app.command("export")(export_file)
    app.command("campaign")(campaign)
    app.command("levels")(levels)
    app.command("photo", help="Read boards from screenshots.")(_photo)


def import_file(
    file: Annotated[
        Path, typer.Argument(help="A .puz file, a board typed as text, or a screenshot.")
    ],
) -> None:
    """Print the position in a .puz file, a text or a screenshot; doubtful cells go to stderr."""
    if file.suffix.lower() in PICTURES:
        found = _read_picture(str(file))
        for line in picture_doubts(found):
            typer.echo(line, err=True)
        print_position(found.position)
    else:
        print_position(read(read_text_lenient(file)))


def _read_picture(name: str) -> Photo:
    return cast("Photo", read_picture("mines", name, longer=_LONGER))


def _photo(
    files: Annotated[list[str], typer.Argument(help="Screenshots: jpg, png, webp.")],
    as_json: Json = False,
) -> None:
    """Read boards from screenshots, one after the other; report those that fail and go on."""

    def lines(found: Photo) -> list[str]:
        return [picture_summary(found), *picture_doubts(found)]

    print_pictures(files, _read_picture, lines, as_json)


def export_file(
    file: Annotated[Path, typer.Argument(help="The .puz file to write.")],
    source: Annotated[
        str, typer.Argument(help="The puzzle as JSON; - reads standard input.")
    ] = "-",
) -> None:
    """Write a puzzle as a .puz file."""
    written = ask("mines", "write", read(read_text_lenient(source)))
    write_file(file, written.text.encode())


@with_parallel_flags
def campaign(
    *,
    folder: Annotated[Path, typer.Argument(help="A folder of puzzles.")],
    file: Annotated[Path, typer.Argument(help="The .zip to write.")],
    by: Annotated[str, typer.Option(help="Their order: name or difficulty.")] = "name",
    parallel: ParallelFlags,
    as_json: Json = False,
) -> None:
    """Write a folder of puzzles as one archive, each leading to the next."""
    if by not in ("name", "difficulty"):
        raise BadInput("Levels are put in order by name or by difficulty.", "--by")
    files = files_in(folder, SUFFIXES)
    puzzles = {path: read(read_text_lenient(path)) for path in files}
    with workers(len(files), **parallel) as context:
        rows = finished(answers(files, lambda p: request("mines", "rate", puzzles[p]), context))
    for row in rows:
        if row.error is not None:
            raise row.error
    levels = [
        {"puzzle": puzzle, "score": row.result.smooth, "steps": row.result.steps}
        for puzzle, row in zip(puzzles.values(), rows, strict=True)
    ]
    if by == "difficulty":
        levels.sort(key=lambda level: (level["score"] is None, level["score"] or 0.0))
    packed = ask("mines", "campaign", levels=levels)
    write_file(file, base64.b64decode(packed.archive))
    if as_json:
        print_result(None, packed, as_json, None)
    else:
        typer.echo(f"{len(levels)} levels in {file}.")


@with_parallel_flags
def levels(
    *,
    folder: Annotated[
        Path, typer.Argument(help="The folder to fill; it is made if it is not there.")
    ],
    count: Annotated[int, typer.Option(help="How many puzzles.", min=1, max=100_000)] = 20,
    seed: Annotated[int, typer.Option(help="The first puzzle's seed; the next has the next.")] = 0,
    board: Annotated[
        str, typer.Option(help="The kind of board, as in generate.")
    ] = "combination-lock",
    size: Annotated[int | None, typer.Option(help="Cells along an edge.")] = None,
    mines: Annotated[int | None, typer.Option(help="How many mines.")] = None,
    difficulty: Annotated[
        str | None, typer.Option(help="Band of the score, such as 5..12.")
    ] = None,
    wish: Annotated[
        str | None, typer.Option(help="Their moves, as in generate: '3 sum, none deeper'.")
    ] = None,
    parallel: ParallelFlags,
) -> None:
    """Make many puzzles, a .puz file each, named by kind and seed."""
    given = {"board": board, "size": size, "mines": mines, "difficulty": difficulty, "wish": wish}
    options = {name: value for name, value in given.items() if value is not None}
    request("mines", "generate", None, **options)  # raises at once for bad options
    folder.mkdir(parents=True, exist_ok=True)
    seeds = {f"{board}-{k:05d}": k for k in range(seed, seed + count)}

    def keep(name: str, puzzle: Position) -> None:
        write_file(folder / f"{name}.puz", write_puz(puzzle).encode())

    with workers(count, **parallel) as context:
        failed = finished(
            run_for_each(
                list(seeds),
                lambda name: request("mines", "generate", None, **options, seed=seeds[name]),
                keep,
                context,
            )
        )
    typer.echo(f"{count - len(failed)} puzzles in {folder}.")
    if failed:
        reasons = "; ".join(f"{name}: {why}" for name, why in failed.items())
        raise BadInput(f"Not made, {len(failed)} of {count}: {reasons}")
