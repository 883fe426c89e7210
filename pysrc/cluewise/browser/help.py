"""`help()` in the page's console: the verbs and options of each desk.

>>> print(text_of("code advise").splitlines()[0])
code advise: Rank the next guess.

The page's package has no docstrings, to keep it small, so Python's own `help` would be empty there.
"""

from __future__ import annotations

import importlib
import inspect

from cluewise import desks
from cluewise.core.options import describe_options

BEGIN = """\
run({"desk": "code", "want": "advise", "position": {...}, "options": {...}}) answers a request.

Desks:"""
MORE = """
help("code") lists the verbs of a desk, help("code advise") the options of a verb,
help(x) describes a Python object."""


class Help:
    """The console's `help`; without arguments it shows an overview."""

    def __repr__(self) -> str:
        return text_of()

    def __call__(self, topic: object = None) -> None:
        """Print the help on a desk, a verb or any object."""
        print(text_of(topic))


def text_of(topic: object = None) -> str:
    """Return the help on a desk (`"code"`), a verb (`"code advise"`), an object, or an overview."""
    if topic is None:
        names = [f"  {name:<8}{desks.load(name).title}" for name in desks.available()]
        return "\n".join([BEGIN, *names, MORE])
    if not isinstance(topic, str):
        return _of_object(topic)
    name, _, want = topic.strip().partition(" ")
    if name not in desks.available():
        return f"There is no desk {name!r}. The desks are {', '.join(desks.available())}."
    return _of_verb(name, want.strip()) if want.strip() else _of_desk(name)


def _of_desk(name: str) -> str:
    desk = desks.load(name)
    lines = [f"  {verb.name:<14}{verb.summary}" for verb in desk.verbs]
    arrays = importlib.import_module(f"cluewise.arrays.{name}")  # numpy is there in the console
    names = [n for n, f in vars(arrays).items() if getattr(f, "__module__", "") == arrays.__name__]
    functions = ", ".join(n for n in names if inspect.isfunction(vars(arrays)[n]) and n[0] != "_")
    more = f"With numpy arrays, from cluewise.arrays: {functions}."
    return "\n".join([f"{name}, {desk.title}. Verbs:", *lines, more])


def _of_verb(name: str, want: str) -> str:
    verb = desks.load(name).verb(want)
    if verb is None:
        return f"The {name} desk does not answer {want!r}.\n{_of_desk(name)}"
    lines = [
        f"  {one.name:<18}{one.text}" + (f" Default {one.default!r}." if one.default else "")
        for one in describe_options(verb.options)
    ]
    return "\n".join([f"{name} {want}: {verb.summary}", *(lines or ["  It takes no options."])])


def _of_object(thing: object) -> str:
    name = getattr(thing, "__name__", type(thing).__name__)
    try:
        head = f"{name}{inspect.signature(thing)}"  # type: ignore[arg-type]  # refused below
    except (TypeError, ValueError):
        head = str(name)
    said = inspect.getdoc(thing) or "No description."
    names = [n for n in dir(thing) if not n.startswith("_")]
    rest = f"\n\nAttributes: {', '.join(names)}" if names else ""
    return f"{head}\n\n{said}{rest}"
