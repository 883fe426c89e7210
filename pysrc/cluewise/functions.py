"""Every verb as a Python function: the contents of `cluewise.code`, `cluewise.rack` and so on.

>>> from cluewise.code import advise
>>> advise({"rules": {"pegs": 2, "colours": 3}}, criterion="minmax", top=1).options[0].guess
'00'

A function takes a position (the desk's struct, plain JSON values, a link, a text notation, or
nothing for the start of a game) and the verb's options by name (a list may be a numpy array, lines
may be the rows of an integer array); it returns the verb's result as a
struct with typed fields. Generated stubs (`code.pyi` and so on) describe them to editors and type
checkers. Errors are those of `cluewise.errors`, with their JSON path.

In a notebook a call that takes longer than a second shows its progress.
"""

from __future__ import annotations

import html
import importlib
import inspect
import keyword
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from cluewise import desks, links, service
from cluewise.core.desk import Desk, Verb
from cluewise.core.work import Job, Progress
from cluewise.errors import BadInput

PATIENCE = 1.0  # seconds before a notebook shows progress
PACE = 0.25  # seconds between two updates
ROWS, LONGEST = 20, 200  # of a list, characters of a value, that a notebook shows


def link(position: Any) -> str:
    """Return the position's link, a fragment of the page's address: `#/code/1/q1YqSy0q…`.

    >>> link({"desk": "code"})
    '#/code/1/q1ZKSS3OVrJSSs5PSVXSUSpTsjKsBQA'

    Raises `BadPosition` with the path of the error.
    """
    if isinstance(position, dict):
        position = service.read_position(desks.load(position.get("desk")), position)
    return links.encode(position)


def unlink(text: str) -> Any:
    """Return the position of a link, a whole address or its fragment.

    >>> unlink("#/code/1/q1ZKSS3OVrJSSs5PSVXSUSpTsjKsBQA").rules.pegs
    4

    Raises `BadLink` with the reason.
    """
    return links.decode(text)


def functions_of(name: str) -> dict[str, Any]:
    """Return a desk's functions and structs by name: `{"advise": …, "Position": …}`."""
    desk = desks.load(name)
    found: dict[str, Any] = {struct.__name__: struct for struct in structs_of(desk)}
    found |= {python_name(verb.name): function(desk, verb) for verb in desk.verbs}
    return found | {"__all__": sorted(found)}


def python_name(verb: str) -> str:
    """Return a verb's name as a Python identifier: `import_` for `import`, `next` as it is."""
    name = verb.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def structs_of(desk: Desk[Any]) -> list[type]:
    """Return the structs of the position, then those of the verbs' results."""
    position = [s for s in structs_inside(desk.position) if s.__module__.startswith("cluewise.")]
    results = [v.result for v in desk.verbs if isinstance(v.result, type)]
    return list(dict.fromkeys([*position, *results]))


def structs_inside(kind: Any) -> list[type]:
    """Return a struct and all structs inside it."""
    found: list[type] = []
    waiting: list[object] = [msgspec.inspect.type_info(kind)]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, msgspec.inspect.StructType):
            if item.cls in found:
                continue
            found.append(item.cls)
        if isinstance(item, msgspec.Struct):
            waiting += [getattr(item, name) for name in item.__struct_fields__]
        elif isinstance(item, tuple | list):
            waiting += item
    return found


def function(desk: Desk[Any], verb: Verb[Any, Any]) -> Callable[..., Any]:
    """Return the verb as a function with a signature from its options."""

    def ask(position: Any = None, **options: Any) -> Any:
        if isinstance(position, str):
            position = links.position_of(desk.name, position)
        request = {
            "desk": desk.name,
            "want": verb.name,
            "position": position,
            "options": {name: _without_arrays(value) for name, value in options.items()},
        }
        _display_results()
        return run_with_progress(service.outcome(service.parse_request(request))).result

    ask.__name__ = ask.__qualname__ = python_name(verb.name)
    ask.__module__ = f"cluewise.{desk.name}"
    ask.__doc__ = f"{verb.summary}\n\n{_said(verb)}".rstrip()
    ask.__signature__ = signature(verb)  # type: ignore[attr-defined]  # inspect reads it
    return ask


def _without_arrays(value: Any) -> Any:
    """Return a numpy array as a list; rows of integers become lines, such as boards or codes."""
    if not hasattr(value, "__array_interface__"):
        return value
    if value.ndim != 2 or value.dtype.kind not in "iu":
        return value.tolist()
    if value.size and not 0 <= value.min() <= value.max() < len(_DIGITS):
        raise BadInput(
            f"An array of lines has values from 0 to {len(_DIGITS) - 1} only.", "$.options"
        )
    return ["".join(map(_DIGITS.__getitem__, row)) for row in value.tolist()]


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def signature(verb: Verb[Any, Any]) -> inspect.Signature:
    """Return `(position=None, *, criterion='entropy', top=10, …)`."""
    first = inspect.Parameter("position", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    rest = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=_default(field))
        for field in msgspec.structs.fields(verb.options)
    ]
    return inspect.Signature([first, *rest])


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return inspect.Parameter.empty


def _said(verb: Verb[Any, Any]) -> str:
    """Return a line per option with its description."""
    lines = []
    for field in msgspec.inspect.type_info(verb.options).fields:  # type: ignore[attr-defined]  # options are structs
        schema = getattr(field.type, "extra_json_schema", None) or {}
        if "description" in schema:
            lines.append(f"{field.name}: {schema['description']}")
    return "\n".join(lines)


def run_with_progress(job: Job[Any]) -> Any:
    """Run a job and return its result; show progress in a notebook."""
    show = _shower()
    began = said = time.monotonic()
    try:
        while True:
            step = next(job)
            now = time.monotonic()
            if show and now - began > PATIENCE and now - said > PACE:
                said = now
                show(step)
    except StopIteration as stop:
        return stop.value
    finally:
        if show and said > began:
            show(None)


def _shower() -> Callable[[Progress | None], None] | None:
    """Return a function that shows progress below a notebook's cell; None elsewhere."""
    return _in_marimo() or _in_jupyter()


def _ipython() -> Any:
    """Return IPython's shell, None without one."""
    try:
        return get_ipython()  # type: ignore[name-defined]  # a builtin of IPython
    except NameError:
        return None


def _in_jupyter() -> Callable[[Progress | None], None] | None:
    if not hasattr(_ipython(), "kernel"):
        return None  # a terminal, with IPython or without
    tools = importlib.import_module("IPython.display")
    handle: Any = None

    def show(step: Progress | None) -> None:
        nonlocal handle
        said = tools.HTML("" if step is None else _bar(step))
        if handle is None:  # created at the first report, so fast calls display nothing
            handle = tools.display(said, display_id=True)
        else:
            handle.update(said)

    return show


def _in_marimo() -> Callable[[Progress | None], None] | None:
    marimo: Any = sys.modules.get("marimo")  # imported if it runs the notebook
    if marimo is None or not marimo.running_in_notebook():
        return None
    around: Any = None
    line: Any = None

    def show(step: Progress | None) -> None:
        nonlocal around, line
        if step is None:
            around.__exit__(None, None, None)  # removes it from the cell's output
            return
        if line is None:
            around = marimo.status.spinner()
            line = around.__enter__()
        part = "" if step.total is None else f"{step.done:g} of {step.total:g}"
        line.update(title=step.note, subtitle=part)

    return show


@cache
def _display_results() -> None:
    """Let IPython show results as tables; positions show their boards themselves."""
    formatter = getattr(_ipython(), "display_formatter", None)
    if formatter is not None:
        formatter.formatters["text/html"].for_type(msgspec.Struct, html_of)


def html_of(value: Any) -> str:
    """Return a struct as an HTML table of its fields; lists of structs have a row for each."""
    if hasattr(value, "_repr_html_"):
        return value._repr_html_() or ""
    fields = [(name, getattr(value, name)) for name in value.__struct_fields__]
    rows = (f"<tr><th>{name}</th><td>{_cell(item)}</td></tr>" for name, item in fields)
    return f"<table>{''.join(rows)}</table>"


def _cell(item: Any) -> str:
    """Return a field's value; of lists and texts no more than the beginning."""
    if isinstance(item, msgspec.Struct):
        return html_of(item)
    if isinstance(item, list) and item and isinstance(item[0], msgspec.Struct):
        names = item[0].__struct_fields__
        head = "".join(f"<th>{name}</th>" for name in names)
        cells = (
            "".join(f"<td>{_cell(getattr(one, n))}</td>" for n in names) for one in item[:ROWS]
        )
        more = f"<tr><td>… {len(item) - ROWS} more</td></tr>" if len(item) > ROWS else ""
        rows = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><tr>{head}</tr>{rows}{more}</table>"
    text = item if isinstance(item, str) else repr(item)
    return html.escape(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def _bar(step: Progress) -> str:
    values = "" if step.total is None else f' value="{step.done}" max="{step.total}"'
    return f"<progress{values}></progress> {html.escape(step.note)}"
