"""Every verb as a Python function: what `cluewise.code`, `cluewise.rack` and so on hold.

>>> from cluewise.code import advise
>>> advise({"rules": {"pegs": 2, "colours": 3}}, criterion="minmax", top=1).options[0].guess
'00'

A function takes a position (the desk's own struct, plain values as JSON has them, a link, text as
people write it, or nothing for the start of a game) and the verb's options by name; it gives the
verb's result as a struct with typed fields. Editors and type checkers know every one of them from
the generated stubs (`code.pyi` and so on). Mistakes are the errors of `cluewise.errors`, with their
place.

In a notebook a question that takes longer than a second says how far it is.
"""

from __future__ import annotations

import html
import importlib
import inspect
import keyword
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from cluewise import desks, links, service
from cluewise.core.desk import Desk, Verb
from cluewise.core.work import Job, Progress

PATIENCE = 1.0  # seconds before a notebook hears of progress
PACE = 0.25  # seconds between two words of it


def link(position: Any) -> str:
    """The link's fragment, to be put behind the page's address: `#/code/1/q1YqSy0q…`.

    >>> link({"desk": "code"})
    '#/code/1/q1ZKSS3OVrJSSs5PSVXSUSpTsjKsBQA'

    Raises `BadPosition` with the place of what is wrong.
    """
    if isinstance(position, dict):
        position = service.read_position(desks.load(position.get("desk")), position)
    return links.encode(position)


def unlink(text: str) -> Any:
    """The position of a link, a whole address or what stands behind its `#`.

    >>> unlink("#/code/1/q1ZKSS3OVrJSSs5PSVXSUSpTsjKsBQA").rules.pegs
    4

    Raises `BadLink` with a sentence that says what is wrong with it.
    """
    return links.decode(text)


def functions_of(name: str) -> dict[str, Any]:
    """A desk's functions and structs by their names: `{"advise": …, "Position": …}`."""
    desk = desks.load(name)
    found: dict[str, Any] = {struct.__name__: struct for struct in structs_of(desk)}
    found |= {python_name(verb.name): function(desk, verb) for verb in desk.verbs}
    return found | {"__all__": sorted(found)}


def python_name(verb: str) -> str:
    """A verb's name as Python takes it: `import_` for `import`, `next` as it is."""
    name = verb.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def structs_of(desk: Desk[Any]) -> list[type]:
    """What a person makes or gets: the position's structs, then the results of its verbs."""
    position = [s for s in _inside(desk.position) if s.__module__.startswith("cluewise.")]
    results = [v.result for v in desk.verbs if isinstance(v.result, type)]
    return list(dict.fromkeys([*position, *results]))


def _inside(kind: Any) -> list[type]:
    """The structs that a struct is made of, itself first."""
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
    """The verb as a function with the signature that its options give it."""

    def ask(position: Any = None, **options: Any) -> Any:
        if isinstance(position, str):
            position = links.position_of(desk.name, position)
        request = {
            "desk": desk.name,
            "want": verb.name,
            "position": position,
            "options": options,
        }
        return run_with_progress(service.outcome(service.parse_request(request))).result

    ask.__name__ = ask.__qualname__ = python_name(verb.name)
    ask.__module__ = f"cluewise.{desk.name}"
    ask.__doc__ = f"{verb.summary}\n\n{_said(verb)}".rstrip()
    ask.__signature__ = signature(verb)  # type: ignore[attr-defined]  # inspect reads it
    return ask


def signature(verb: Verb[Any, Any]) -> inspect.Signature:
    """`(position=None, *, criterion='entropy', top=10, …)`."""
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
    """A line an option, as the contract page has it."""
    lines = []
    for field in msgspec.inspect.type_info(verb.options).fields:  # type: ignore[attr-defined]  # options are structs
        schema = getattr(field.type, "extra_json_schema", None) or {}
        if "description" in schema:
            lines.append(f"{field.name}: {schema['description']}")
    return "\n".join(lines)


def run_with_progress(job: Job[Any]) -> Any:
    """The job's value; a notebook's reader sees how far it is."""
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
    """What shows progress below a notebook's cell, and takes it away at the end; None elsewhere."""
    return _in_marimo() or _in_jupyter()


def _in_jupyter() -> Callable[[Progress | None], None] | None:
    try:
        shell = get_ipython()  # type: ignore[name-defined]  # IPython puts it among the builtins
    except NameError:
        return None
    if not hasattr(shell, "kernel"):
        return None  # a terminal's IPython
    tools = importlib.import_module("IPython.display")
    handle: Any = None

    def show(step: Progress | None) -> None:
        nonlocal handle
        said = tools.HTML("" if step is None else _bar(step))
        if handle is None:  # a question that is answered at once leaves nothing behind
            handle = tools.display(said, display_id=True)
        else:
            handle.update(said)

    return show


def _in_marimo() -> Callable[[Progress | None], None] | None:
    marimo: Any = sys.modules.get("marimo")  # where it runs a notebook it is there
    if marimo is None or not marimo.running_in_notebook():
        return None
    around: Any = None
    line: Any = None

    def show(step: Progress | None) -> None:
        nonlocal around, line
        if step is None:
            around.__exit__(None, None, None)  # takes it out of the cell's output
            return
        if line is None:
            around = marimo.status.spinner()
            line = around.__enter__()
        part = "" if step.total is None else f"{step.done:g} of {step.total:g}"
        line.update(title=step.note, subtitle=part)

    return show


def _bar(step: Progress) -> str:
    value = "" if step.total is None else f' value="{step.done}" max="{step.total}"'
    return f"<progress{value}></progress> {html.escape(step.note)}"
