"""The only door: a request in, progress on the way, a result or a named error out.

>>> run({"desk": "code", "want": "remaining", "position": {"rules": {"pegs": 2, "colours": 2}},
...      "options": {"top": 2}})
{'count': 4, 'codes': ['00', '01']}

The page's worker, the terminal, notebooks and the tests all come through here, so one position
has one answer everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from cluewise import desks
from cluewise.core.desk import Desk, Verb
from cluewise.core.work import Progress, ResultWithArrays, finish
from cluewise.errors import BadInput, BadOption, BadPosition, CluewiseError, Unknown

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.executor import Crew, Shelf

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was understood: the verb, the checked position and the options as structs."""

    verb: Verb[Any, Any]
    position: Any
    options: Any


def validate(value: object, kind: type[T], error: type[CluewiseError], root: str = "$") -> T:
    """`value` as a `kind`, strictly; an `error` names the JSON path of the first misfit."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as problem:
        what, at, place = str(problem).rpartition(" - at `$")
        where = root + place.removesuffix("`") if at else root
        raise error(f"{what or problem}.", where) from None
    except RecursionError:
        raise error("This is nested too deeply to be a position.", root) from None


def read_position(desk: Desk[T], value: object) -> T:
    """The desk's position from plain JSON values, checked against the rules of the game."""
    if isinstance(value, desk.position):
        position = value
    elif isinstance(value, msgspec.Struct):
        whose = f"This position is the {getattr(value, 'desk', None)} desk's"
        raise BadPosition(f"{whose}, not the {desk.name} desk's.", "$.position")
    else:
        _refuse_not_finite(value, "$.position")
        value = desk.from_json(value) if desk.from_json else value
        position = validate(value, desk.position, BadPosition, "$.position")
    try:
        desk.check(position)
    except CluewiseError as problem:
        raise _placed(problem) from None
    return position


def _placed(problem: CluewiseError) -> CluewiseError:
    """The error with its place in the request; a desk may speak of its position alone."""
    known = ("$.position", "$.options")
    if problem.where.startswith(known) or not problem.where.startswith("$."):
        return problem
    return problem.under("$.position")


def start(request: Mapping[str, object]) -> Generator[Progress, None, ResultWithArrays]:
    """Run as a job: yields `Progress`, returns a `ResultWithArrays` ready for JSON.

    Raises a `CluewiseError` on the first step if the request cannot be understood.
    """
    return (yield from answer(parse_request(request)))


def answer(request: Request) -> Generator[Progress, None, ResultWithArrays]:
    """The job of a request that was understood; nothing is checked again."""
    found = yield from outcome(request)
    return ResultWithArrays(to_plain(found.result), found.arrays)


def outcome(request: Request) -> Generator[Progress, None, ResultWithArrays]:
    """The same with the verb's own struct as its `result`, for callers that read fields."""
    try:
        found = yield from request.verb.run(request.position, request.options)
    except CluewiseError as problem:
        raise _placed(problem) from None
    return found if isinstance(found, ResultWithArrays) else ResultWithArrays(found, {})


def run_parallel(
    request: Request, crew: Crew, shelf: Shelf | None = None
) -> Generator[Progress, None, ResultWithArrays]:
    """The same, by a crew, where the verb's work falls into pieces."""
    share = request.verb.share
    if share is None:
        return (yield from outcome(request))
    return ResultWithArrays(
        (yield from share.run(request.position, request.options, crew, shelf)), {}
    )


def run(request: Mapping[str, object]) -> Any:
    """The result as plain JSON values (dicts, lists, strings, numbers)."""
    return _with_lists(finish(start(request)).result)


def run_captured(desk: str, want: str, position: object, options: object) -> dict[str, Any]:
    """One piece of many: `{"result": …}`, or `{"error": {"kind", "message", "where"}}`.

    A function that a fresh process can be given by name, with values that JSON can hold.
    """
    try:
        asked = {"desk": desk, "want": want, "position": position, "options": options}
        return {"result": run(asked)}
    except CluewiseError as problem:
        return {"error": {k: getattr(problem, k) for k in ("kind", "message", "where")}}


def to_plain(value: object) -> Any:
    """A struct, a named tuple or a dict as values that JSON writes as they are."""
    return msgspec.to_builtins(value, str_keys=True)


def _with_lists(value: Any) -> Any:
    """What a JSON reader would make of the value: its tuples are lists."""
    if isinstance(value, dict):
        return {key: _with_lists(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if _PLAIN.issuperset(map(type, value)):  # a million answers need no look at each
            return list(value)
        return [_with_lists(item) for item in value]
    return value


_PLAIN = frozenset((str, int, float, bool, type(None)))


def parse_request(request: Mapping[str, object]) -> Request:
    """`{"desk", "want", "position", "options"}` as a `Request`, everything in it checked.

    Raises `BadInput`, `Unknown`, `BadPosition` or `BadOption` with the place of what is wrong.
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
    options = validate(
        _options(desk, verb, request.get("options") or {}), verb.options, BadOption, "$.options"
    )
    return Request(verb, read_position(desk, request.get("position") or {}), options)


def _options(desk: Desk[Any], verb: Verb[Any, Any], given: object) -> object:
    """The options as given, a position among them read as the request's own position is."""
    if desk.from_json is None or not isinstance(given, Mapping):
        return given
    kind = desk.position | None
    fields = msgspec.structs.fields(verb.options)
    names = [f.name for f in fields if getattr(f.type, "__origin__", f.type) == kind]
    read = {n: desk.from_json(given[n]) for n in names if isinstance(given.get(n), dict | list)}
    return {**given, **read}


def _refuse_not_finite(value: object, where: str) -> None:
    """JSON has no NaN and no infinity; Python callers may still hand them in."""
    stack = [(value, where)]
    while stack:
        item, place = stack.pop()
        if isinstance(item, float) and not math.isfinite(item):
            raise BadPosition("Expected a finite number.", place)
        if isinstance(item, Mapping):
            stack.extend((v, f"{place}.{k}") for k, v in item.items())
        elif isinstance(item, list | tuple):
            stack.extend((v, f"{place}[{i}]") for i, v in enumerate(item))
