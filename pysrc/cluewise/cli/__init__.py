"""The terminal: `cluewise DESK VERB [FILE|-] [options]`.

The commands are generated from the verbs of each desk's `DESK`. `cli/desks/<desk>.py` may define
`show_<verb>` (a function of position and result that returns a rich renderable), `FOLDERS` (verb to
the columns and cells of a file's row), `SUFFIXES` (file endings of such a folder), `extend` (adds
commands of another form) and `read_typed` (converts typed options to those of a request).
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from cluewise import __version__, links, service
from cluewise.cli import flags, parallel_flags
from cluewise.cli.bulk import print_answers
from cluewise.cli.drive import answer, fail, print_json
from cluewise.cli.files import files_in, read_any_position, read_position
from cluewise.core.desk import Desk, Verb
from cluewise.core.version import version_string
from cluewise.desks import available, load
from cluewise.errors import BadInput, BadOption, CluewiseError

File = Annotated[
    str | None, typer.Argument(help="A position as JSON, a link or text; - reads standard input.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]


def main() -> None:
    """Run the program. Exit status: 0, 2 bad input, 3 contradiction, 4 too large, 130 stopped."""
    arguments = sys.argv[1:]
    as_json = "--json" in arguments
    try:
        status = application(arguments)(args=arguments, standalone_mode=False)
    except CluewiseError as problem:
        status = _status(problem, as_json)
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("Stopped.", err=True)
        status = 130
    except SystemExit as ended:  # click turns a BrokenPipeError into it, with status 1
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        _discard_output()
        status = 0
    except Exception as problem:
        if not hasattr(problem, "format_message"):
            raise
        status = _status(BadInput(problem.format_message()), as_json)
    sys.exit(status if isinstance(status, int) else 0)


def _discard_output() -> None:
    """Discard unwritten output after the reader has closed the pipe (`| head -1`).

    Also discards what Python writes at exit, when running workers close their pipes.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


def application(arguments: list[str]) -> typer.Typer:
    """Return the commands; only the desk named first in `arguments` is imported and complete."""
    app = typer.Typer(
        help=f"Cluewise {__version__}: the best next move in five deduction games.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    named = next((a for a in arguments if not a.startswith("-")), None)
    for name in available():
        app.add_typer(_desk(name, full=name == named), name=name)
    app.command("link")(_link)
    app.command("unlink")(_unlink)
    app.command("bench")(_bench)
    app.callback()(_root)
    return app


def _status(problem: CluewiseError, as_json: bool) -> int:
    try:
        fail(problem, as_json)
    except typer.Exit as done:
        return int(done.exit_code)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_string())
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and a hash of the program's files.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
) -> None:
    del version  # the eager callback has printed it


def _desk(name: str, *, full: bool) -> typer.Typer:
    if not full:
        return typer.Typer(help=f"The {name} desk.")
    desk = load(name)
    app = typer.Typer(help=desk.title, no_args_is_help=True)
    terminal = _terminal(name)
    for verb in desk.verbs:
        app.command(verb.name, help=verb.summary)(_command(desk, verb, terminal))
    if hasattr(terminal, "extend"):
        terminal.extend(app)
    return app


def _terminal(name: str) -> Any:
    module = f"cluewise.cli.desks.{name}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def _command(desk: Desk[Any], verb: Verb[Any, Any], terminal: Any) -> Callable[..., None]:
    """Return the command of a verb; typer derives the flags from its signature."""
    show = getattr(terminal, f"show_{verb.name}", None)
    row = getattr(terminal, "FOLDERS", {}).get(verb.name)
    read_typed = getattr(terminal, "read_typed", None)
    in_tables = getattr(terminal, "DEFAULTS", {}).get(verb.name, {})  # defaults without --json

    def command(file: str | None, as_json: bool, **given: Any) -> None:
        parallel = parallel_flags.pop_parallel_flags(given)
        options = flags.values(verb.options, given)
        if not as_json:
            options = in_tables | options

        def request(name: str | Path | None) -> service.Request:
            position = read_position(desk.name, None if name is None else str(name))
            asked = {"desk": desk.name, "want": verb.name, "position": position}
            understood = service.parse_request({**asked, "options": options})
            if read_typed is None:
                return understood
            typed = read_typed(understood.position, understood.options)
            return dataclasses.replace(understood, options=typed)

        if row is not None and file is not None and Path(file).is_dir():
            files = files_in(file, terminal.SUFFIXES)
            columns, cells = row
            with parallel_flags.workers(len(files), **parallel) as context:
                print_answers(files, request, as_json, columns, cells, context)
        elif verb.tasks is not None:
            parallel_flags.run_parallel(request(file), as_json, show, **parallel)
        elif any(parallel.values()):
            raise BadOption("--jobs, --cluster and --resume need a folder of files.", "--jobs")
        else:
            answer(request(file), as_json, show)

    keyword = inspect.Parameter.KEYWORD_ONLY
    shape = [
        inspect.Parameter("file", keyword, default=None, annotation=File),
        *flags.parameters(verb.options, in_tables),
        *(parallel_flags.parameters() if row is not None or verb.tasks is not None else ()),
        inspect.Parameter("as_json", keyword, default=False, annotation=Json),
    ]
    command.__signature__ = inspect.Signature(shape)  # type: ignore[attr-defined]  # read by typer
    command.__annotations__ = {p.name: p.annotation for p in shape}
    return command


def _link(
    file: File = "-",
    desk: Annotated[
        str | None, typer.Option(help="The desk of the position, if the file is text.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the link of a position, as a fragment: #/code/1/…."""
    text = links.encode(read_any_position(file or "-", desk))
    if as_json:
        print_json({"link": text})
    else:
        typer.echo(text)


def _unlink(text: str, as_json: Json = False) -> None:
    """Print the position of a link."""
    del as_json  # the position is JSON either way
    typer.echo(links.canonical(links.decode(text)))


def _bench(desk: Annotated[str | None, typer.Argument()] = None, as_json: Json = False) -> None:
    """Run the benchmarks of all desks, or of one, on this machine."""
    importlib.import_module("cluewise.bench").main(desk, as_json)
