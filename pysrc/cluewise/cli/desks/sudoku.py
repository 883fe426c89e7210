"""Terminal tables of the sudoku desk, its commands for lists (`--lines`) and for pictures."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import chain
from typing import Annotated, Any, Protocol, cast, get_args

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cluewise.cli import Json
from cluewise.cli.bulk import stream_texts
from cluewise.cli.desks import group_digits, print_unwrapped, side_by_side
from cluewise.cli.drive import finished, print_position, request
from cluewise.cli.files import iter_lines, iter_texts, open_bytes, read_text_lenient, size_of
from cluewise.cli.parallel_flags import ParallelFlags, run_parallel, with_parallel_flags
from cluewise.cli.pictures import print_pictures
from cluewise.cli.pictures import read_picture as read_picture_file
from cluewise.core.results import pluralize
from cluewise.desks.sudoku import results as r
from cluewise.desks.sudoku.constraints import merge_boards, names_of
from cluewise.desks.sudoku.formats.text import read_text
from cluewise.desks.sudoku.formats.write import draw
from cluewise.desks.sudoku.lists.output import ResultWriter, near_sentences
from cluewise.desks.sudoku.position import NINE, SYMBOLS, Position, Shape, check, place
from cluewise.desks.sudoku.results import By, Convention, Task
from cluewise.errors import BadNotation, BadOption

PICTURE_SIZES = (0, 4, 6, 9, 12, 16)
File = Annotated[str | None, typer.Argument(help="A position as JSON; - reads standard input.")]
Lines = Annotated[
    str | None, typer.Option("--lines", help="A list, one board a line; - is standard input.")
]
Limit = Annotated[int, typer.Option("--limit", help="List at most that many solutions.")]
Box = Annotated[
    str | None,
    typer.Option("--box", help="Rows x columns of a box; as the list's first lines by default."),
]
Convention_ = Annotated[
    str, typer.Option(help="With --lines: straight, pattern-first or solution-carried.")
]


def _board(text: str, position: Position) -> Text:
    return Text(draw(text, position.shape).rstrip())


By_ = Annotated[
    str, typer.Option(help="Boards belong together by class, solution, pattern or symmetries.")
]


class _Compared(Protocol):
    @property
    def not_compared(self) -> list[str]: ...


def show_same(position: Position, result: r.Same) -> RenderableType:
    """Render the two boards and the verdict."""
    a, b = (_board(text, position) for text in position.grids)
    return Group(side_by_side(("first", a), ("second", b)), Text(""), *_verdict(result))


def _verdict(result: r.Same) -> list[Text]:
    left = _not_compared(result)
    plain = bool(result.not_compared) and not result.compared
    if not result.same:
        word = "Different as plain sudoku" if plain else "Different"
        more = ""
        if result.same_renamed is not None:
            more = " With symbols renamed they are " + (
                "the same." if result.same_renamed else "different, too."
            )
            word += " while symbols keep their names"
        because = result.because
        assert because is not None, "what is different has a reason"
        decided = Text(f"Decided by: {because.kind}.")
        return [Text(f"{word}. {because.text}{more}"), decided, *left]
    steps = result.steps or []
    head = "The same as plain sudoku" if plain else "The same"
    if result.compared and result.not_compared:
        head += " as far as compared"
    head += f", in {pluralize(len(steps), 'step')}:" if steps else ": nothing to do."
    lines = [*left, *(Text(f"{i:3}. {step.text}") for i, step in enumerate(steps, 1))]
    lines += [Text(result.summary)] if steps else []
    lines += [Text(f"Least form of both: {result.key}")] if result.key else []
    if result.ways is not None and result.ways > 1:
        proof = (
            "none takes fewer steps"
            if result.shortest
            else ("these are the fewest steps found, not proved to be the fewest there are")
        )
        lines.append(Text(f"{result.ways:,} transforms serve; {proof}."))
    return [Text(head), *lines]


def _not_compared(result: _Compared) -> list[Text]:
    """Return a line of the constraints that were compared and one of those that were not."""
    names, others = getattr(result, "compared", []), result.not_compared
    lines = []
    if names:
        maps = getattr(result, "cell_maps", 0)
        count = f": {group_digits(maps)} maps of cells keep what is asked" if maps else ""
        lines.append(Text(f"Compared with {', '.join(names)}{count}."))
    return [*lines, *([Text(f"Not compared: {', '.join(others)}.")] if others else [])]


def show_canon(position: Position, result: r.GridForm | r.PuzzleForms) -> RenderableType:
    """Render the canonical forms."""
    if isinstance(result, r.GridForm):
        rows = [("minlex", result.minlex)]
    else:
        carried = result.solution_carried or f"none. {result.no_carried}"
        rows = [
            ("straight", result.straight), ("pattern first", result.pattern_first),
            ("solution carried", carried),
        ]  # fmt: skip
    rows.append(("automorphisms", group_digits(result.automorphisms)))
    text = "\n".join(f"  {name:18}{value}" for name, value in rows)
    return Group(print_unwrapped(f"For other programs:\n{text}"), *_not_compared(result))


def show_automorphisms(position: Position, result: r.Automorphisms) -> RenderableType:
    """Render the number of automorphisms and generators of their group."""
    if result.count == 1:
        words = Text("Nothing but leaving it alone takes the board to itself.")
        return Group(words, *_not_compared(result))
    parts = [Text(f"{group_digits(result.count)} transforms take the board to itself; generators:")]
    for t in result.generators:
        turn = "transpose, then " if t.transpose else ""
        rows, cols = ("".join(SYMBOLS[i] for i in lines) for lines in (t.rows, t.cols))
        digits = "".join(SYMBOLS[d - 1] for d in t.digits[1:])
        if t.cells:
            cells = " ".join(str(i + 1) for i in t.cells)
            parts.append(Text(f"  cells from {cells}, symbols {digits}"))
            continue
        parts.append(Text(f"  {turn}rows {rows}, columns {cols}, symbols {digits}"))
    return Group(*parts, *_not_compared(result))


def show_table(position: Position, result: r.Table) -> RenderableType:
    """Render how often two symbols share a minirow or minicolumn."""
    names = SYMBOLS[: position.shape.size]
    table = Table(title="How often two symbols share a minirow or minicolumn")
    table.add_column("")
    for name in [*names, "sorted", "becomes"]:
        table.add_column(name, justify="right")
    rows = {row.symbol: row for row in result.rows}
    for name, counts in zip(names, result.table, strict=True):
        row = rows[name]
        cells = ["·" if i == names.index(name) else str(n) for i, n in enumerate(counts)]
        table.add_row(name, *cells, " ".join(map(str, row.values)), SYMBOLS[row.index])
    return Group(table, Text(result.text))


def show_compare(position: Position, result: r.Comparison) -> RenderableType:
    """Render the comparison of the tables, and the exact answer."""
    exact = f"Exact answer: {'the same' if result.same else 'different'}."
    return Group(Text(result.text), Text(exact), *_not_compared(result))


def show_solve(position: Position, result: r.Solved) -> RenderableType:
    """Render the number of solutions and the solutions found."""
    words = {"0": "No solution.", "1": "One solution.", ">=2": "Several solutions; the first two:"}
    left = _not_compared(result)
    head = words[result.solutions]
    if result.complete is not None and len(result.found) > 1:
        head = f"{'All' if result.complete else 'The first'} {len(result.found)} solutions:"
    if result.not_compared and not result.compared:
        head = f"As plain sudoku: {head[0].lower()}{head[1:]}"
    parts: list[RenderableType] = [Text(head), *left]
    if result.conflict:
        parts.append(Text(result.conflict))
    if result.found:
        parts.append(side_by_side(*(("", _board(text, position)) for text in result.found)))
    return Group(*parts)


def show_generate(position: Position, result: r.Generated) -> RenderableType:
    """Render the new grid."""
    return Group(_board(result.grid, position), print_unwrapped(result.grid))


def _new_board(board: str, position: Position, lines: list[str], result: _Compared) -> Group:
    text = Text("\n".join(lines))
    return Group(_board(board, position), text, print_unwrapped(board), *_not_compared(result))


def _givens(result: Any) -> str:
    word = ", minimal" if result.minimal else ""
    word += f", line {result.line + 1}" if result.line is not None else ""
    return f"{result.clues} givens{word}"


def _disguised(result: Any) -> str:
    undone = "none takes fewer" if result.shortest else "perhaps not the fewest"
    return f"The given board {result.summary}: {pluralize(len(result.steps), 'step')}, {undone}."


def show_puzzle(position: Position, result: r.Puzzle) -> RenderableType:
    """Render the puzzle and its number of givens."""
    return _new_board(result.puzzle, position, [_givens(result)], result)


def show_disguise(position: Position, result: r.Disguise) -> RenderableType:
    """Render the disguised board and the number of its steps."""
    return _new_board(result.grid, position, [_disguised(result)], result)


def show_make(position: Position, result: r.Made) -> RenderableType:
    """Render the new board, with its name or its givens."""
    lines = [f"Number {result.name}"] if result.name else []
    lines += [_givens(result)] if result.kind == "puzzle" else []
    lines += [_disguised(result)] if result.kind == "disguise" else []
    return _new_board(result.board, position, lines, result)


def show_number(position: Position, result: r.Numbered) -> RenderableType:
    """Render the grid's number, its classes of bands, and its forms."""
    bands, stacks = (", ".join(map(str, half)) for half in (result.chutes[:3], result.chutes[3:]))
    orders = ", ".join(f"{n} of order {order}" for order, n in result.orders.items())
    lines = [
        f"Grid {group_digits(result.number)} of {group_digits(result.of)} essentially different "
        f"({result.code}).",
        f"Bands {bands}, stacks {stacks} of 416 classes; most canonical: band "
        f"{result.least_band + 1} and stack {result.least_stack + 1}.",
        f"Automorphisms: {result.automorphisms} ({orders}), as {group_digits(result.as_symmetric)} "
        f"essentially different grids have.",
        f"{group_digits(result.class_size)} grids are this one in disguise.",
    ]
    other = f"For other programs:\n  least form  {result.minlex}"
    if result.carried:
        other += f"\n  carried     {result.carried}"
    name = print_unwrapped(f"Name: {result.address}")
    return Group(name, Text("\n".join(lines)), print_unwrapped(other), *_not_compared(result))


def show_unavoidable(position: Position, result: r.UnavoidableSets) -> RenderableType:
    """Render the unavoidable sets."""
    counts = " and ".join(f"{n} of {size} cells" for size, n in result.counts.items())
    n = position.shape.size
    rows = []
    for k, cells in enumerate(result.sets):
        places = " ".join(f"r{i // n + 1}c{i % n + 1}" for i in cells)
        rows.append(f"{places:36}{result.givens[k]} given" if result.givens else places)
    lines = "\n".join(rows)
    return Group(
        Text(f"Unavoidable sets: {counts}."), print_unwrapped(lines), *_not_compared(result)
    )


def show_views(position: Position, result: r.Views) -> RenderableType:
    """Render in how many ways equivalents of the grid obey each rule, and an example."""
    lines = [
        f"{one.kind:12}{f'{group_digits(one.ways)} ways' if one.ways != 1 else '1 way':>12}  "
        f"{one.example or ''}".rstrip()
        for one in result.views
    ]
    return Group(print_unwrapped("\n".join(lines)), *_not_compared(result))


def show_grid(position: Position, result: r.GridOfNumber) -> RenderableType:
    """Render the grid of a number."""
    head = f"Grid {group_digits(result.number)} of {group_digits(result.of)} ({result.code})"
    lines = "\n".join(result.grids)
    return Group(Text(head), Text(draw(result.grid, NINE).rstrip()), print_unwrapped(lines))


def show_nearest(position: Position, result: r.Nearest) -> RenderableType:
    """Render how many givens can be made to agree."""
    proved = "" if result.exact else f" (at most {result.bound} are possible)"
    text = f"{result.agree} of {result.of} givens can be made to agree{proved}."
    return Group(Text(text), *_not_compared(result))


def show_duplicates(position: Position, result: r.Duplicates) -> RenderableType:
    """Render the pairs of boards that nearly agree."""
    return print_unwrapped("\n".join(near_sentences(result)))


def show_paste(position: Position, result: r.Pasted) -> RenderableType:
    """Render the boards and the lines that could not be read."""
    lines = [f"{result.format}: {len(result.grids)} boards", *result.grids]
    for i, rules in enumerate(result.constraints):
        names = ", ".join(names_of(rules))
        lines += [f"board {i + 1} has constraints: {names}"] if rules else []
    lines += [f"line {p.line}, column {p.column}: {p.why}" for p in result.bad]
    return Group(
        print_unwrapped("\n".join(lines)),
        *(_verdict(result.same) if result.same is not None else []),
    )


def show_export(position: Position, result: r.Exported) -> RenderableType:
    """Render the text in the other notation, and what it leaves out."""
    names = ", ".join(result.left_out)
    note = [Text(f"Left out, because this notation has no place for it: {names}.")] if names else []
    return Group(print_unwrapped(result.text.rstrip("\n")), *note)


def extend(app: typer.Typer) -> None:
    """Add the commands for lists, files of other programs and pictures."""
    plain = {info.name: info.callback for info in app.registered_commands}

    @with_parallel_flags
    def canon(
        *, file: File = None, lines: Lines = None, convention: Convention_ = "straight",
        box: Box = None, parallel: ParallelFlags, as_json: Json = False,
    ) -> None:  # fmt: skip
        if lines is None:
            _run_plain(plain["canon"], file, as_json, parallel)
        else:
            _list(lines, box, "canon", convention, as_json=as_json, parallel=parallel)

    @with_parallel_flags
    def solve(
        *, file: File = None, lines: Lines = None, box: Box = None, limit: Limit = 2,
        parallel: ParallelFlags, as_json: Json = False,
    ) -> None:  # fmt: skip
        if lines is None:
            _run_plain(plain["solve"], file, as_json, parallel, limit=limit)
        else:
            _list(lines, box, "solve", as_json=as_json, parallel=parallel)

    @with_parallel_flags
    def group(
        *,
        lines: Lines = "-",
        unique: Annotated[bool, typer.Option(help="Print each class's first member.")] = False,
        by: By_ = "class",
        csv: Annotated[bool, typer.Option(help="A table of all that is known, as CSV.")] = False,
        numbers: Annotated[bool, typer.Option(help="With --csv: each grid's number too.")] = False,
        convention: Convention_ = "straight",
        box: Box = None,
        parallel: ParallelFlags,
        as_json: Json = False,
    ) -> None:
        if csv and (unique or as_json):
            raise BadOption("--csv goes with neither --unique nor --json.", "$.options.csv")
        if numbers and not csv:
            raise BadOption("--numbers goes with --csv.", "$.options.numbers")
        task: Task = "annotate" if csv else "group"
        _list(
            lines or "-", box, task, convention, unique=unique, by=by, numbers=numbers,
            as_json=as_json, parallel=parallel,
        )  # fmt: skip

    app.command("puzzle", help="A puzzle with one solution, made or out of a file.")(
        _puzzle_command(plain["puzzle"])
    )
    app.command("canon", help="The least form of a board; --lines for a list.")(canon)
    app.command("solve", help="None, one or several solutions; --lines for a list.")(solve)
    app.command("group", help="Class numbers of a list, or its first members.")(group)
    app.command("duplicates", help="Boards of a list that are one, but for a few cells.")(
        _near_duplicates
    )
    app.command("import", help="Read boards from a file, a text or a link.")(_import)
    app.command("photo", help="Read boards from pictures.")(_photo)


def _puzzle_command(command: Callable[..., None] | None) -> Callable[..., None]:
    """Return the verb's command with `--source` as a file."""

    def puzzle(
        file: File = None,
        clues: Annotated[int | None, typer.Option(help="Exactly that many givens.")] = None,
        minimal: Annotated[bool, typer.Option(help="No given can be removed.")] = False,
        symmetry: Annotated[str, typer.Option(help="The pattern's symmetry.")] = "none",
        seed: Annotated[int, typer.Option(help="The same seed gives the same puzzle.")] = 0,
        source: Annotated[
            str | None, typer.Option(help="A file of known puzzles, one a line, to take one of.")
        ] = None,
        as_json: Json = False,
    ) -> None:
        lines = read_text_lenient(source).splitlines() if source else []
        assert command is not None
        command(
            file=file, clues=clues, minimal=minimal, symmetry=symmetry, seed=seed, source=lines,
            as_json=as_json,
        )  # fmt: skip

    return puzzle


def _run_plain(
    command: Callable[..., None] | None,
    file: str | None,
    as_json: bool,
    parallel: ParallelFlags,
    **options: int,
) -> None:
    assert command is not None
    if any(value is not None for value in parallel.values()):
        raise BadOption("--jobs, --cluster and --resume are for lists.", "--jobs")
    command(file=file, as_json=as_json, **options)


def _shape(text: str) -> Shape:
    try:
        rows, cols = (int(part) for part in text.lower().replace("×", "x").split("x"))
    except ValueError:
        message = "--box takes rows x columns, such as 3x3 or 2x3."
        raise BadOption(message, "$.options.box") from None
    check(Position(box=(rows, cols)))
    return Shape(rows, cols)


def _shape_of(text: str) -> Shape:
    """Return the shape of a list's boards by its first 50 lines, 9×9 if they cannot be read."""
    try:
        return read_text("\n".join(text.split("\n", 50)[:50])).shape
    except BadNotation:
        return NINE


def _list(
    name: str, box: str | None, task: Task, convention: str = "straight", *, unique: bool = False,
    by: str = "class", numbers: bool = False, as_json: bool, parallel: ParallelFlags,
) -> None:  # fmt: skip
    if by not in get_args(By):
        raise BadOption(f"Choose from {', '.join(get_args(By))}.", "$.options.by")
    if convention not in get_args(Convention):
        raise BadOption(f"Choose from {', '.join(get_args(Convention))}.", "$.options.convention")
    given = _shape(box) if box else None
    out = ResultWriter(task, unique=unique, as_json=as_json)
    with open_bytes(name) as file:
        texts = iter_texts(file)
        head = next(texts, "")
        shape = given or _shape_of(head)

        def ask(text: str, before: int) -> dict[str, Any]:
            text = text.removesuffix("\n")
            given = {"text": text} if text else {"lines": [""]}  # an empty text has no line
            options = {**given, "before": before, "task": task, "convention": convention,
                       "by": by, "numbers": numbers, "joined": True}  # fmt: skip
            position = {"box": [shape.rows, shape.cols]}
            return {"desk": "sudoku", "want": "group", "position": position, "options": options}

        texts = chain([head] if head else [], texts)
        finished(stream_texts(texts, ask, out.piece, size_of(name), out.lost, **parallel))
    out.end()
    if out.bad:
        raise typer.Exit(2)


@with_parallel_flags
def _near_duplicates(
    *,
    lines: Lines = "-",
    most: Annotated[int, typer.Option(help="So many cells may differ.")] = 2,
    limit: Annotated[int, typer.Option(help="So many pairs are printed.")] = 200,
    parallel: ParallelFlags,
    as_json: Json = False,
) -> None:
    """Print the pairs of a list's boards that nearly agree."""
    with iter_lines(lines or "-") as file:
        texts = [line.rstrip("\r\n") for line in file]
    run_parallel(
        request("sudoku", "duplicates", None, lines=texts, most=most, limit=limit),
        as_json, show_duplicates, **parallel,
    )  # fmt: skip


def _import(source: Annotated[str, typer.Argument()] = "-", as_json: Json = False) -> None:
    """Read boards from a file, standard input, a text or a link."""
    text = source
    if source == "-" or os.path.isfile(source):
        text = read_text_lenient(source)
    found = read_text(text)
    if not found.boards:
        problem = found.bad[0]
        raise BadNotation(problem.why, f"line {problem.line}, column {problem.column}")
    for problem in found.bad:
        typer.echo(f"line {problem.line}, column {problem.column}: {problem.why}", err=True)
    if as_json:
        rules = [*found.constraints, (), ()]
        print_position(
            Position(
                box=(found.shape.rows, found.shape.cols),
                grids=tuple(found.boards[:2]),
                constraints=merge_boards(rules[0], rules[1]),
            )
        )
        return
    typer.echo("\n".join(found.boards))
    for i, own in enumerate(found.constraints, 1):
        if own:
            names = ", ".join(names_of(own))
            typer.echo(f"board {i} has constraints: {names}", err=True)


def read_picture(name: str, size: int = 0) -> r.Photo:
    """Return the boards in a picture's file; errors name the file."""
    if size not in PICTURE_SIZES:
        raise BadOption("--size takes 4, 6, 9, 12 or 16; 0 finds out.", "$.options.size")
    return cast("r.Photo", read_picture_file("sudoku", name, size=size))


def _photo(
    files: Annotated[list[str], typer.Argument(help="Pictures: jpg, png, webp.")],
    size: Annotated[int, typer.Option(help="Cells along a side; 0 finds out.")] = 0,
    as_json: Json = False,
) -> None:
    """Read boards from pictures, one after the other; report those that fail and go on."""

    def lines(one: r.Photo) -> list[str]:
        return [draw(one.grid, Shape(*one.box)).rstrip(), *sentences(one)]

    print_pictures(files, lambda name: read_picture(name, size), lines, as_json)


_MOST_NAMED = 12  # doubtful cells that are listed one by one


def sentences(found: r.Photo) -> list[str]:
    """Return a sentence per doubtful part of the picture."""
    shape = Shape(*found.box)
    out = []
    if found.lattice_doubtful:
        why = {
            "0": "as read it has no solution", "1": "its lines are hard to see",
            ">=2": "as read it has several solutions", "unknown": "it is too open to be solved",
        }[found.solutions]  # fmt: skip
        out.append(f"Look the whole board over: {why}.")
    for i in found.repaired:
        was, now = _named(found.seen[i]), _named(found.grid[i])
        out.append(f"Repaired: {place(i, shape)} looked like {was}; the rules make it {now}.")
    if not found.lattice_doubtful:
        out += [
            f"Doubtful: {place(i, shape)}, {_named(found.grid[i])} "
            f"(or {' or '.join(_named(s) for s in found.likely[i] if s != found.grid[i])})."
            for i in found.doubtful[:_MOST_NAMED]
            if i not in found.repaired
        ]
        if len(found.doubtful) > _MOST_NAMED:
            out.append(f"Doubtful in all: {len(found.doubtful)} cells.")
    if found.own:
        out.append(f"{len(found.own)} symbols have another colour: perhaps filled in by hand.")
    return out


def _named(symbol: str) -> str:
    return "blank" if symbol == "." else symbol
