"""Tables for people, and the commands that read lists: `canon`, `solve`, `group` with `--lines`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import chain, islice
from typing import IO, Annotated, Any

import typer
from msgspec import convert, to_builtins
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from cluewise.desks.sudoku.constraints import Constraint, joined, words
from cluewise.desks.sudoku.formats.text import read_text
from cluewise.desks.sudoku.formats.write import draw
from cluewise.desks.sudoku.lists import Task
from cluewise.desks.sudoku.picture.shown import read_file, sentences
from cluewise.desks.sudoku.pipe import Output, run_list
from cluewise.desks.sudoku.position import NINE, SYMBOLS, Position, Shape, check
from cluewise.errors import BadInput, BadNotation, BadOption, CluewiseError

Result = dict[str, Any]
CONVENTIONS = ("straight", "pattern-first", "solution-carried")
File = Annotated[str | None, typer.Argument(help="A position as JSON; - reads standard input.")]
Lines = Annotated[
    str | None, typer.Option("--lines", help="A list, one board a line; - is standard input.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document, nothing else.")]
Box = Annotated[
    str | None,
    typer.Option("--box", help="Rows x columns of a box; as the list's first lines unless told."),
]
Convention_ = Annotated[
    str, typer.Option(help="With --lines: straight, pattern-first or solution-carried.")
]


def _board(text: str, position: Position) -> Text:
    return Text(draw(text, position.shape).rstrip())


def _whole(text: str) -> Group:
    """Lines to be copied, which a narrow terminal neither breaks nor cuts.

    In a group, because rich joins bare texts and forgets how they want to be wrapped.
    """
    return Group(Text(text, no_wrap=True, overflow="ignore"))


def _side_by_side(*parts: tuple[str, RenderableType]) -> Table:
    table = Table.grid(padding=(0, 4))
    table.add_row(*[Group(Text(title, style="bold"), body) for title, body in parts])
    return table


def _same(position: Position, result: Result) -> RenderableType:
    a, b = (_board(text, position) for text in position.grids)
    return Group(_side_by_side(("first", a), ("second", b)), Text(""), *_verdict(result))


def _verdict(result: Result) -> list[Text]:
    left = _not_compared(result)
    if not result["same"]:
        word = "Different as plain sudoku" if left else "Different"
        more = ""
        if "same_renamed" in result:
            more = " With symbols renamed they are " + (
                "the same." if result["same_renamed"] else "different, too."
            )
            word += " while symbols keep their names"
        return [Text(f"{word}. {result['because']['text']}{more}"), *left]
    steps = result["steps"]
    head = "The same as plain sudoku" if left else "The same"
    head += ": nothing to do." if not steps else f", in {len(steps)} steps:"
    lines = [*left, *(Text(f"{i:3}. {step['text']}") for i, step in enumerate(steps, 1))]
    if result["ways"] > 1:
        proof = (
            "none takes fewer steps"
            if result["shortest"]
            else ("these are the fewest steps found, not proved to be the fewest there are")
        )
        lines.append(Text(f"{result['ways']:,} transforms serve; {proof}."))
    return [Text(head), *lines]


def _not_compared(result: Result) -> list[Text]:
    """What the answer left out of account, as a line to stand beside it."""
    names = result.get("not_compared")
    return [Text(f"Not compared: {', '.join(names)}.")] if names else []


def _canon(position: Position, result: Result) -> RenderableType:
    if "minlex" in result:
        rows = [("minlex", result["minlex"])]
    else:
        carried = result["solution_carried"] or f"none. {result['no_carried']}"
        rows = [
            ("straight", result["straight"]), ("pattern first", result["pattern_first"]),
            ("solution carried", carried),
        ]  # fmt: skip
    rows.append(("automorphisms", f"{result['automorphisms']:,}".replace(",", " ")))
    text = "\n".join(f"{name:18}{value}" for name, value in rows)
    return Group(_whole(text), *_not_compared(result))


def _automorphisms(position: Position, result: Result) -> RenderableType:
    if result["count"] == 1:
        words = Text("Nothing but leaving it alone takes the board to itself.")
        return Group(words, *_not_compared(result))
    count = f"{result['count']:,}".replace(",", " ")
    parts = [Text(f"{count} transforms take the board to itself; generators:")]
    for t in result["generators"]:
        turn = "transpose, then " if t["transpose"] else ""
        rows, cols = ("".join(SYMBOLS[i] for i in t[key]) for key in ("rows", "cols"))
        digits = "".join(SYMBOLS[d - 1] for d in t["digits"][1:])
        parts.append(Text(f"  {turn}rows {rows}, columns {cols}, symbols {digits}"))
    return Group(*parts, *_not_compared(result))


def _table(position: Position, result: Result) -> RenderableType:
    names = SYMBOLS[: position.shape.size]
    table = Table(title="How often two symbols share a minirow or minicolumn")
    table.add_column("")
    for name in [*names, "sorted", "becomes"]:
        table.add_column(name, justify="right")
    rows = {row["symbol"]: row for row in result["rows"]}
    for name, counts in zip(names, result["table"], strict=True):
        row = rows[name]
        cells = ["·" if i == names.index(name) else str(n) for i, n in enumerate(counts)]
        table.add_row(name, *cells, " ".join(map(str, row["values"])), str(row["index"]))
    return Group(table, Text(result["text"]))


def _compare(position: Position, result: Result) -> RenderableType:
    word = "the same" if result["same"] else "different"
    exact = Text(f"Exact answer: {word}.")
    return Group(Text(result["text"]), exact, *_not_compared(result))


def _solve(position: Position, result: Result) -> RenderableType:
    words = {"0": "No solution.", "1": "One solution.", ">=2": "Several solutions; the first two:"}
    left = _not_compared(result)
    head = words[result["solutions"]]
    if left:
        head = f"As plain sudoku: {head[0].lower()}{head[1:]}"
    parts: list[RenderableType] = [Text(head), *left]
    if result["conflict"]:
        parts.append(Text(result["conflict"]))
    if result["found"]:
        parts.append(_side_by_side(*(("", _board(text, position)) for text in result["found"])))
    return Group(*parts)


def _generate(position: Position, result: Result) -> RenderableType:
    return Group(_board(result["grid"], position), _whole(result["grid"]))


def _puzzle(position: Position, result: Result) -> RenderableType:
    word = ", minimal" if result["minimal"] else ""
    return Group(
        _board(result["puzzle"], position), Text(f"{result['clues']} givens{word}"),
        _whole(result["puzzle"]), *_not_compared(result),
    )  # fmt: skip


def _spaced(value: int) -> str:
    return f"{value:,}".replace(",", " ")


def _number(position: Position, result: Result) -> RenderableType:
    words = Text(
        f"Grid {_spaced(result['number'])} of {_spaced(result['of'])} really different ones "
        f"({result['code']}).\n"
        f"Bands and stacks: {', '.join(map(str, result['bands']))} of 416. "
        f"Automorphisms: {result['automorphisms']}."
    )
    text = result["minlex"]
    if "carried" in result:
        text += f"\n{result['carried']}  the givens, carried there"
    return Group(words, _whole(text), *_not_compared(result))


def _grid(position: Position, result: Result) -> RenderableType:
    head = f"Grid {_spaced(result['number'])} of {_spaced(result['of'])} ({result['code']})"
    lines = "\n".join(result["grids"])
    return Group(Text(head), Text(draw(result["grid"], NINE).rstrip()), _whole(lines))


def _nearest(position: Position, result: Result) -> RenderableType:
    proved = "" if result["exact"] else f" (at most {result['bound']} are possible)"
    words = Text(f"{result['agree']} of {result['of']} givens can be made to agree{proved}.")
    return Group(words, *_not_compared(result))


def _paste(position: Position, result: Result) -> RenderableType:
    lines = [f"{result['format']}: {len(result['grids'])} boards", *result["grids"]]
    for i, rules in enumerate(result.get("constraints", [])):
        names = ", ".join(words([convert(rule, Constraint) for rule in rules]))
        lines += [f"board {i + 1} has constraints: {names}"] if rules else []
    lines += [f"line {p['line']}, column {p['column']}: {p['why']}" for p in result["bad"]]
    return Group(
        _whole("\n".join(lines)),
        *(_verdict(result["same"]) if "same" in result else []),
    )


def _export(position: Position, result: Result) -> RenderableType:
    names = ", ".join(result.get("left_out", []))
    note = [Text(f"Left out, because this notation has no place for it: {names}.")] if names else []
    return Group(_whole(result["text"].rstrip("\n")), *note)


TABLES: dict[str, Callable[[Position, Result], RenderableType]] = {
    "same": _same, "canon": _canon, "automorphisms": _automorphisms, "table": _table,
    "compare": _compare, "solve": _solve, "generate": _generate, "puzzle": _puzzle,
    "nearest": _nearest, "number": _number, "grid": _grid, "paste": _paste, "export": _export,
}  # fmt: skip


def extend(app: typer.Typer) -> None:
    """Commands of their own shape: lists, and text from other programs."""
    plain = {info.name: info.callback for info in app.registered_commands}

    def canon(
        file: File = None, lines: Lines = None, convention: Convention_ = "straight",
        box: Box = None, as_json: Json = False,
    ) -> None:  # fmt: skip
        if lines is None:
            _plainly(plain["canon"], file, as_json)
        else:
            _list(lines, box, "canon", convention, as_json=as_json)

    def solve(
        file: File = None, lines: Lines = None, box: Box = None, as_json: Json = False
    ) -> None:
        if lines is None:
            _plainly(plain["solve"], file, as_json)
        else:
            _list(lines, box, "solve", as_json=as_json)

    def group(
        lines: Lines = "-",
        unique: Annotated[bool, typer.Option(help="Print each class's first member.")] = False,
        box: Box = None,
        as_json: Json = False,
    ) -> None:
        _list(lines or "-", box, "group", unique=unique, as_json=as_json)

    app.command("canon", help="The least form of a board; --lines for a list.")(canon)
    app.command("solve", help="None, one or several solutions; --lines for a list.")(solve)
    app.command("group", help="Class numbers of a list, or its first members.")(group)
    app.command("import", help="Read boards from a file, a text or a link.")(_import)
    app.command("photo", help="Read boards from pictures.")(_photo)


def _plainly(command: Callable[..., None] | None, file: str | None, as_json: bool) -> None:
    assert command is not None
    command(file=file, as_json=as_json)


def _shape(text: str) -> Shape:
    try:
        rows, cols = (int(part) for part in text.lower().replace("×", "x").split("x"))
    except ValueError:
        message = "--box takes rows x columns, such as 3x3 or 2x3."
        raise BadOption(message, "$.options.box") from None
    check(Position(box=(rows, cols)))
    return Shape(rows, cols)


def _shape_of(lines: list[str]) -> Shape:
    """The shape of a list's boards by its first lines, 9×9 if they tell nothing."""
    try:
        return read_text("".join(lines)).shape
    except BadNotation:
        return NINE


def _list(
    name: str, box: str | None, task: Task, convention: str = "straight", *, unique: bool = False,
    as_json: bool,
) -> None:  # fmt: skip
    if convention not in CONVENTIONS:
        raise BadOption(f"Choose from {', '.join(CONVENTIONS)}.", "$.options.convention")
    told = _shape(box) if box else None
    out = Output(task, unique=unique, as_json=as_json)
    with _opened(name) as file, _bar(name) as advance:
        head = list(islice(file, 50))
        shape = told or _shape_of(head)
        chosen = CONVENTIONS[CONVENTIONS.index(convention)]
        run_list(chain(head, file), shape, task, chosen, out, advance)  # type: ignore[arg-type]  # checked above
    if out.bad:
        raise typer.Exit(2)


@contextmanager
def _opened(name: str) -> Iterator[IO[str]]:
    if name == "-":
        yield TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        return
    try:
        file = open(name, encoding="utf-8-sig", errors="replace")  # noqa: SIM115 - closed below
    except OSError as problem:
        raise BadInput(f"Cannot read {name}: {problem.strerror}.") from None
    with file:  # outside the try: what goes wrong with the output is not this file's fault
        yield file


@contextmanager
def _bar(name: str) -> Iterator[Callable[[int], None]]:
    total = os.path.getsize(name) if name != "-" and os.path.isfile(name) else None
    began = time.monotonic()
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(), console=console, transient=True, auto_refresh=False,
        disable=not console.is_terminal,  # a bar in a file or a pipe is a line of nothing
    ) as bar:  # fmt: skip
        task = bar.add_task("lines", total=total)

        def advance(size: int) -> None:
            bar.advance(task, size)
            if time.monotonic() - began > 1:
                bar.refresh()

        yield advance


def _import(source: Annotated[str, typer.Argument()] = "-", as_json: Json = False) -> None:
    """Read boards from a file, standard input, a text or a link."""
    text = source
    if source == "-" or os.path.isfile(source):
        with _opened(source) as file:
            text = file.read(64 << 20)
    found = read_text(text)
    if not found.boards:
        problem = found.problems[0]
        raise BadNotation(problem.text, f"line {problem.line}, column {problem.column}")
    for problem in found.problems:
        typer.echo(f"line {problem.line}, column {problem.column}: {problem.text}", err=True)
    if as_json:
        box = [found.shape.rows, found.shape.cols]
        rules = [*found.constraints, (), ()]
        value = {"desk": "sudoku", "v": 1, "box": box, "grids": found.boards[:2]}
        if any(found.constraints[:2]):
            value["constraints"] = to_builtins(joined(rules[0], rules[1]))
        typer.echo(json.dumps(value))
    else:
        typer.echo("\n".join(found.boards))
        for i, own in enumerate(found.constraints, 1):
            if own:
                names = ", ".join(words(own))
                typer.echo(f"board {i} has constraints: {names}", err=True)


def _photo(
    files: Annotated[list[str], typer.Argument(help="Pictures: jpg, png, webp.")],
    size: Annotated[int, typer.Option(help="Cells along a side; 0 finds out.")] = 0,
    as_json: Json = False,
) -> None:
    """Read boards from pictures, one after the other; those that fail are told and passed over."""
    found, failed = [], 0
    for name in files:
        try:
            one = read_file(name, size)
        except CluewiseError as problem:
            if len(files) == 1:
                raise
            failed = problem.exit_status
            typer.echo(problem.message, err=True)
            continue
        found.append(to_builtins(one))
        if not as_json:
            title = [name] if len(files) > 1 else []
            lines = [*title, draw(one.grid, Shape(*one.box)).rstrip(), *sentences(one)]
            typer.echo("\n".join(lines))
    if as_json:
        typer.echo(json.dumps(found[0] if len(files) == 1 else found))
    if failed:
        raise typer.Exit(failed)
