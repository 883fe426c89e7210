"""`help()` at the page's prompt: what can be asked, from the table of each desk.

>>> print(text_of("code advise").splitlines()[0])
code advise: Rank the next guess.

Docstrings are left out of the page to make it small, so Python's own `help` has nothing to say
there; the desks' tables travel with it and are never behind the code.
"""

from __future__ import annotations

import inspect

from cluewise import desks
from cluewise.core.options import describe_options

BEGIN = """\
run({"desk": "code", "want": "advise", "position": {...}, "options": {...}}) answers one question.

Desks:"""
MORE = """
help("code") lists what a desk answers, help("code advise") the options of one question,
help(x) what x says of itself."""


class Help:
    """What `help` names at the prompt: a bare `help` and `help()` say how to begin."""

    def __repr__(self) -> str:
        return text_of()

    def __call__(self, topic: object = None) -> None:
        """Print what there is to say of a desk, a question or any object."""
        print(text_of(topic))


def text_of(topic: object = None) -> str:
    """The help on a desk (`"code"`), a question (`"code advise"`), an object, or how to begin."""
    if topic is None:
        names = [f"  {name:<8}{desks.load(name).title}" for name in desks.available()]
        return "\n".join([BEGIN, *names, MORE])
    if not isinstance(topic, str):
        return _of_object(topic)
    name, _, want = topic.strip().partition(" ")
    if name not in desks.available():
        return f"There is no desk {name!r}; try one of {', '.join(desks.available())}."
    return _of_verb(name, want.strip()) if want.strip() else _of_desk(name)


def _of_desk(name: str) -> str:
    desk = desks.load(name)
    lines = [f"  {verb.name:<14}{verb.summary}" for verb in desk.verbs]
    return "\n".join([f"{name}, {desk.title}, answers:", *lines])


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
    said = inspect.getdoc(thing) or "It says no more of itself here."
    names = [n for n in dir(thing) if not n.startswith("_")]
    rest = f"\n\nIt has: {', '.join(names)}" if names else ""
    return f"{head}\n\n{said}{rest}"
