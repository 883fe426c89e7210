"""The mines desk's answers as tables for people, .puz files, and whole folders."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console, Group, RenderableType
from rich.progress import Progress as Bar
from rich.table import Table

from cluewise.core.work import finish
from cluewise.desks.mines.formats import read
from cluewise.desks.mines.formats.campaign import Level, write_campaign
from cluewise.desks.mines.formats.puz_write import write_puz
from cluewise.desks.mines.position import Position, Rectangle, graph
from cluewise.desks.mines.results import RateOptions, SolveOptions
from cluewise.desks.mines.verbs.rate import rate
from cluewise.desks.mines.verbs.solve import solve
from cluewise.desks.mines.words import cell_name, cells_text, clue_text, listed
from cluewise.errors import BadInput, CluewiseError

SUFFIXES = (".json", ".puz", ".txt")
_MOST = 40


def solved(position: Any, result: Any) -> RenderableType:
    """What is forced, how many layouts there are, and on rectangles the chances as a grid."""
    count = result["solutions"]
    layouts = f"{'' if result['exact'] else 'about '}{count} layouts fit"
    said = layouts + ("." if result["exact"] else " (an estimate).")
    parts: list[RenderableType] = [
        "Too many layouts to count; what is decided is complete all the same."
        if count is None
        else said
    ]
    for name in ("safe", "mines"):
        cells = result[name]
        spoken = listed([cell_name(position, c) for c in cells[:_MOST]])
        more = f" and {len(cells) - _MOST} more" if len(cells) > _MOST else ""
        parts.append(f"{name:>5}: {spoken}{more}")
    if result["error"] is not None:
        parts.append(f"Chances are estimates, good to {100 * result['error']:.1f} points.")
    if isinstance(position, Position) and position.board is not None:
        parts.append(_grid(position.board, position, result["probability"]))
    return Group(*parts)


def _grid(board: Rectangle, position: Position, chances: list[float | None]) -> Table:
    opened = {r.cell: "?" if r.number is None else str(r.number) for r in position.revealed}
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


def explained(position: Any, result: Any) -> RenderableType:
    """The verdict, the clues and the steps."""
    if result["verdict"] == "open":
        return "Both are possible: the clues do not decide this cell."
    board = graph(position)
    verdict = "It is safe." if result["verdict"] == "safe" else "It is a mine."
    clues = "; ".join(clue_text(position, board, name) for name in result["clues"])
    lines = [f"{i + 1}. {step['text']}" for i, step in enumerate(result["steps"])]
    return Group(verdict, f"Clues: {clues or 'none but the open cells'}.", *lines)


def hinted(position: Any, result: Any) -> RenderableType:
    """As much of the hint as was asked for."""
    if result["wrong_flag"]:
        return "A flag is wrong. Take it back first; `doubt` says which clues it clashes with."
    if not result["move"]:
        return "No cell is decided: whoever goes on has to guess."
    lines = ["There is a move."]
    if result["cells"] is not None:
        lines.append(f"Here: {cells_text(position, result['cells'])}.")
    if result["clues"] is not None:
        board = graph(position)
        spoken = [clue_text(position, board, n) for n in result["clues"]]
        lines.append(f"These clues decide: {'; '.join(spoken) or 'the open cells'}.")
    if result["steps"] is not None:
        lines += [step["text"] for step in result["steps"]]
    return Group(*lines)


def rated(_position: Any, result: Any) -> RenderableType:
    """Both ratings and the curve of rounds."""
    guess = "No guess is needed" if result["no_guess"] else "A guess is needed"
    if result["closure_solves"]:
        closure = f"inequalities solve it, smooth score {result['smooth'] or 0:.2f}"
    elif result["solves_with"]:
        closure = f"inequalities solve it with --inexact-rounds {result['solves_with']}"
    else:
        closure = "inequalities of pairs do not solve it"
    cap = " Wide sets were left out (--cap)." if result["capped"] else ""
    curve = "".join("▁▂▃▄▅▆▇█"[min(step, 8) - 1] for step in result["steps"])
    lines = [f"{guess}: {result['waves']} waves; {closure}.{cap}",
             f"rounds: {' '.join(map(str, result['steps'])) or '–'}", curve]  # fmt: skip
    return Group(*lines, *_published(result["published"]))


def _published(scale: dict[str, Any] | None) -> list[str]:
    """The scale of 2018 beside ours, where it was asked for."""
    if scale is None:
        return []
    told = []
    for name, one in (("published scale", scale), ("order-free", scale["order_free"])):
        score = "no score (-1)" if one["score"] < 0 else f"{one['score']:.2f}"
        told.append(f"{name}: {score}; rounds: {' '.join(map(str, one['steps']))}")
    return told


def generated(position: Any, result: Any) -> RenderableType:
    """The new puzzle's rating; --json prints the puzzle itself."""
    if not result.get("rating"):
        return "The best puzzle so far is not rated yet; --json prints it."
    rating = result["rating"]
    lines: list[RenderableType] = [rated(position, rating)]
    if rating["hit"] is False:
        score = rating["smooth"]
        found = "no score" if score is None else f"{score:.2f}"
        lines.append(f"Asked for {rating['wanted']}, the nearest that was found has {found}.")
    return Group(*lines, "--json prints the puzzle.")


def checked(_position: Any, result: Any) -> RenderableType:
    """Yes or no."""
    return {"yes": "A flag is wrong.", "no": "No flag is wrong.",
            "unsure": "The clues do not say."}[result["wrong"]]  # fmt: skip


def examples(_position: Any, result: Any) -> RenderableType:
    """The bundled puzzles."""
    table = Table("title", "level", "board", "cells", "mines", "smooth")
    for row in result["puzzles"]:
        score = row["rating"]["smooth"]
        table.add_row(row["title"], row["level"], row["kind"], str(row["cells"]),
                      str(row["mines"]), "–" if score is None else f"{score:.1f}")  # fmt: skip
    return table


def written(_position: Any, result: Any) -> RenderableType:
    """The file's text."""
    return str(result["text"])


def doubted(position: Any, result: Any) -> RenderableType:
    """Which clues contradict and what mends them, or which say nothing new."""
    board = graph(position)

    def spoken(names: list[str]) -> str:
        return ", ".join(clue_text(position, board, n) for n in names)

    if not result["contradiction"]:
        extra = spoken(result["redundant"])
        return "The clues hold together." + (f" These say nothing new: {extra}." if extra else "")
    lines = [f"These cannot all hold: {spoken(s)}." for s in result["smallest"]]
    for repair in result["repairs"]:
        change = "without it" if repair["value"] is None else f"{repair['value']} instead"
        lines.append(f"{spoken([repair['clue']])}: {change} leaves {repair['remaining']} layouts.")
    return Group(*lines)


TABLES: dict[str, Callable[[Any, Any], RenderableType]] = {
    "solve": solved,
    "explain": explained,
    "hint": hinted,
    "check": checked,
    "rate": rated,
    "generate": generated,
    "examples": examples,
    "write": written,
    "doubt": doubted,
}


# ---------------------------------------------------------------- files and folders


def extend(app: typer.Typer) -> None:
    """`import`, `export`, and `solve` and `rate` on a folder of files."""
    for info in app.registered_commands:
        if info.name in ("solve", "rate") and info.callback is not None:
            info.callback = _with_folders(info.name, info.callback)
    app.command("import")(import_file)
    app.command("export")(export_file)
    app.command("campaign")(campaign)


def reads(name: str, text: str) -> Position | None:
    """A .puz file, or a board typed as text in a .txt file; None where JSON is expected."""
    typed = Path(name).suffix.lower() in (".puz", ".txt")
    return read(text) if typed or text.lstrip("\ufeff \t\r\n").startswith("<") else None


def import_file(
    file: Annotated[Path, typer.Argument(help="A .puz file or a board typed as text.")],
) -> None:
    """Print the position in a .puz file or a board typed as text."""
    typer.echo(json.dumps(_plain(_read(file)), ensure_ascii=False))


def export_file(
    file: Annotated[Path, typer.Argument(help="The .puz file to write.")],
    source: Annotated[
        str, typer.Argument(help="The puzzle as JSON; - reads standard input.")
    ] = "-",
) -> None:
    """Write a puzzle as a .puz file."""
    text = typer.get_text_stream("stdin").read() if source == "-" else _text(Path(source))
    puzzle = write_puz(read(text))
    try:
        file.write_text(puzzle, encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"Cannot write {file}: {problem.strerror}.") from None


def campaign(
    folder: Annotated[Path, typer.Argument(help="A folder of puzzles.")],
    file: Annotated[Path, typer.Argument(help="The .zip to write.")],
    by: Annotated[str, typer.Option(help="Their order: name or difficulty.")] = "name",
) -> None:
    """Write a folder of puzzles as one archive, each leading to the next."""
    if by not in ("name", "difficulty"):
        raise BadInput("Levels are put in order by name or by difficulty.", "--by")
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)
    if not files:
        raise BadInput(f"There is no .json, .puz or .txt file in {folder}.")
    levels = [_level(path) for path in files]
    if by == "difficulty":
        levels.sort(key=lambda level: (level.score is None, level.score or 0.0))
    data = write_campaign(levels)
    try:
        file.write_bytes(data)
    except OSError as problem:
        raise BadInput(f"Cannot write {file}: {problem.strerror}.") from None
    typer.echo(f"{len(levels)} levels in {file}.")


def _level(path: Path) -> Level:
    puzzle = _read(path)
    rating = finish(rate(puzzle, RateOptions()))
    return Level(puzzle, rating.smooth, rating.steps)


def _plain(position: Position) -> dict[str, Any]:
    return {"desk": "mines", "v": 1, **msgspec.to_builtins(position)}


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError as problem:
        raise BadInput(f"Cannot read {file}: {problem.strerror}.") from None


def _read(file: Path) -> Position:
    return read(_text(file))


def _with_folders(verb: str, single: Callable[..., Any]) -> Callable[..., Any]:
    """The command that also takes a folder; its flags stay those of the single file."""

    def command(file: str | None, as_json: bool, **given: Any) -> None:
        path = Path(file) if file and file != "-" else None
        if path is not None and path.is_dir():
            _folder(verb, path, as_json, {k: v for k, v in given.items() if v is not None})
        else:
            single(file=file, as_json=as_json, **given)

    command.__doc__ = single.__doc__
    command.__annotations__ = single.__annotations__
    command.__signature__ = getattr(single, "__signature__", None)  # type: ignore[attr-defined]
    return command


def _folder(verb: str, folder: Path, as_json: bool, given: dict[str, Any]) -> None:
    """One row a file, in the order of their names, with a bar on standard error.

    A file that cannot be answered does not stop the others: its row says why, and the names of
    all of them come at the end, as bad input.
    """
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)
    if not files:
        raise BadInput(f"There is no .json, .puz or .txt file in {folder}.")
    rows: list[dict[str, Any]] = []
    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        for file in bar.track(files, description=verb):
            rows.append({"file": file.name, **_one(verb, file, given)})  # noqa: PERF401 - the bar
    if as_json:
        typer.echo(json.dumps({"files": rows}, ensure_ascii=False))
    else:
        Console(highlight=False).print(_rows(verb, rows))
    bad = [row["file"] for row in rows if "error" in row]
    if bad:
        raise BadInput(f"Not answered, {len(bad)} of {len(rows)} files: {', '.join(bad)}.")


def _one(verb: str, file: Path, given: dict[str, Any]) -> dict[str, Any]:
    try:
        position = _read(file)
        if verb == "rate":
            answer: Any = finish(rate(position, msgspec.convert(given, RateOptions)))
        else:
            answer = finish(solve(position, msgspec.convert(given, SolveOptions)))
    except CluewiseError as problem:
        return {"error": {"kind": problem.kind, "message": problem.message,
                          "where": problem.where}}  # fmt: skip
    return {"result": msgspec.to_builtins(answer)}


def _rows(verb: str, rows: list[dict[str, Any]]) -> Table:
    if verb == "rate":
        table = Table("file", "no guess", "waves", "steps", "smooth")
    else:
        table = Table("file", "layouts", "safe", "mines")
    for row in rows:
        result = row.get("result")
        if result is None:
            where, message = row["error"]["where"], row["error"]["message"]
            place = "" if where == "$" else f"{where.removeprefix('$.')}: "
            table.add_row(row["file"], place + message)
        elif verb == "rate":
            score = "–" if result["smooth"] is None else f"{result['smooth']:.2f}"
            table.add_row(row["file"], "yes" if result["no_guess"] else "no", str(result["waves"]),
                          str(len(result["steps"])), score)  # fmt: skip
        else:
            table.add_row(row["file"], result["solutions"] or "–", str(len(result["safe"])),
                          str(len(result["mines"])))  # fmt: skip
    return table
