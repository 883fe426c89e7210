"""The entry point of all requests: yields progress, returns a result or raises `CluewiseError`.

>>> run({"desk": "code", "want": "remaining", "position": {"rules": {"pegs": 2, "colours": 2}},
...      "options": {"top": 2}})
{'count': 4, 'codes': ['00', '01']}

The page's worker, the terminal, notebooks and the tests all use it, so they get the same answers.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from cluewise import desks
from cluewise.core.desk import Desk, Verb
from cluewise.core.work import Progress, ResultWithArrays, finish
from cluewise.errors import BadInput, BadOption, BadPosition, CluewiseError, Unknown
from cluewise.parallel.tasks import ParallelContext

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """A parsed request: the verb, the checked position and the options as structs."""

    verb: Verb[Any, Any]
    position: Any
    options: Any


def validate(value: object, kind: type[T], error: type[CluewiseError], root: str = "$") -> T:
    """Convert `value` to a `kind`, strictly; raises `error` with the path of the first mismatch."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as problem:
        what, at, place = str(problem).rpartition(" - at `$")
        where = root + place.removesuffix("`") if at else root
        raise error(f"{what or problem}.", where) from None
    except RecursionError:
        raise error("This is nested too deeply for a position.", root) from None


def read_position(desk: Desk[T], value: object) -> T:
    """Return the desk's position from plain JSON values, checked against the game's rules."""
    if isinstance(value, desk.position):
        position = value
    elif isinstance(value, msgspec.Struct):
        whose = f"This position is the {getattr(value, 'desk', None)} desk's"
        raise BadPosition(f"{whose}, not the {desk.name} desk's.", "$.position")
    else:
        _refuse_unreadable(value, "$.position", BadPosition)
        value = desk.from_json(value) if desk.from_json else value
        position = validate(value, desk.position, BadPosition, "$.position")
    try:
        desk.check(position)
    except CluewiseError as problem:
        raise _placed(problem) from None
    return position


def _placed(problem: CluewiseError) -> CluewiseError:
    """Return the error with a path in the request; a desk's may be relative to the position."""
    known = ("$.position", "$.options")
    if problem.where.startswith(known) or not problem.where.startswith("$."):
        return problem
    return problem.under("$.position")


def start(request: Mapping[str, object]) -> Generator[Progress, None, ResultWithArrays[Any]]:
    """Run a request as a job: yields `Progress`, returns a `ResultWithArrays` of plain values.

    Raises a `CluewiseError` on the first step if the request is invalid.
    """
    return (yield from answer(parse_request(request)))


def answer(
    request: Request, sharing: ParallelContext | None = None
) -> Generator[Progress, None, ResultWithArrays[Any]]:
    """Return the job of a parsed request, with a plain result."""
    found = yield from outcome(request, sharing)
    return ResultWithArrays(to_plain(found.result), found.arrays)


def outcome(
    request: Request, sharing: ParallelContext | None = None
) -> Generator[Progress, None, ResultWithArrays[Any]]:
    """Return the job of a parsed request, with the verb's struct as its `result`.

    `sharing`: the workers of the verb's tasks, if it has any.
    """
    more = () if request.verb.tasks is None else (sharing,)
    try:
        found = yield from request.verb.run(request.position, request.options, *more)
    except CluewiseError as problem:
        raise _placed(problem) from None
    return found if isinstance(found, ResultWithArrays) else ResultWithArrays(found, {})


def run(request: Mapping[str, object]) -> Any:
    """Run a request and return plain JSON values (dicts, lists, strings, numbers)."""
    return _with_lists(finish(start(request)).result)


def run_captured(desk: str, want: str, position: object, options: object) -> dict[str, Any]:
    """Run a request as a task: `{"result": …}` or `{"error": {"kind", "message", "where"}}`.

    Importable by name in another process; arguments and result are JSON values.
    """
    try:
        asked = {"desk": desk, "want": want, "position": position, "options": options}
        return {"result": run(asked)}
    except CluewiseError as problem:
        return {"error": {k: getattr(problem, k) for k in ("kind", "message", "where")}}


def to_plain(value: object) -> Any:
    """Convert a struct, named tuple or dict to JSON values."""
    return msgspec.to_builtins(value, str_keys=True)


def _with_lists(value: Any) -> Any:
    """Return the value with tuples as lists, as from a JSON parser.

    The routes of hundreds of spots are nested too deeply for a recursive function.
    """
    whole = [value]
    unread: list[Any] = [whole]
    while unread:
        here = unread.pop()
        for key, item in here.items() if isinstance(here, dict) else enumerate(here):
            if isinstance(item, dict):
                here[key] = dict(item)
            elif isinstance(item, list | tuple):
                here[key] = list(item)
                if _PLAIN.issuperset(map(type, item)):
                    continue  # fast path for a million answers
            else:
                continue
            unread.append(here[key])
    return whole[0]


_PLAIN = frozenset((str, int, float, bool, type(None)))


def parse_request(request: Mapping[str, object]) -> Request:
    """Parse and check `{"desk", "want", "position", "options"}`.

    Raises `BadInput`, `Unknown`, `BadPosition` or `BadOption` with the path of the error.
    """
    unknown = sorted(set(request) - {"desk", "want", "position", "options"})
    if unknown:
        raise BadInput(f"A request has no field {unknown[0]!r}.", f"$.{unknown[0]}")
    desk = desks.load(request.get("desk"))
    want = request.get("want")
    verb = desk.verb(want) if isinstance(want, str) else None
    if verb is None:
        names = ", ".join(v.name for v in desk.verbs)
        raise Unknown(f"The {desk.name} desk does not answer {want!r}; ask for {names}.", "$.want")
    given, position = (
        {} if request.get(name) is None else request[name] for name in ("options", "position")
    )
    _refuse_unreadable(given, "$.options", BadOption)
    options = validate(_options(desk, verb, given), verb.options, BadOption, "$.options")
    return Request(verb, read_position(desk, position), options)


def _options(desk: Desk[Any], verb: Verb[Any, Any], given: object) -> object:
    """Return the options; a position among them is read like the request's position."""
    if desk.from_json is None or not isinstance(given, Mapping):
        return given
    kind = desk.position | None
    fields = msgspec.structs.fields(verb.options)
    names = [f.name for f in fields if getattr(f.type, "__origin__", f.type) == kind]
    read = {n: desk.from_json(given[n]) for n in names if isinstance(given.get(n), dict | list)}
    return {**given, **read}


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_unreadable(value: object, where: str, error: type[CluewiseError]) -> None:
    """Raise the error for NaN, infinity (only Python callers can pass them) and half characters.

    Half of a surrogate pair is in no text that UTF-8 can hold; JSON's escapes can write one.
    """
    stack = [(value, where)]
    while stack:
        item, place = stack.pop()
        if isinstance(item, float) and not math.isfinite(item):
            raise error("Expected a finite number.", place)
        if isinstance(item, str) and not item.isascii() and not _is_unicode(item):
            raise error("This text has half of a surrogate pair, which is no character.", place)
        if isinstance(item, Mapping):
            stack.extend((k, place) for k in item)
            stack.extend((v, f"{place}.{k}") for k, v in item.items())
        elif isinstance(item, list | tuple):
            stack.extend((v, f"{place}[{i}]") for i, v in enumerate(item))
