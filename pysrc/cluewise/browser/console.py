"""An interactive Python session: takes source and returns the value as text.

>>> import asyncio
>>> prompt = InteractiveConsole()
>>> prompt.wants_more("for i in range(3):")
True
>>> asyncio.run(prompt.run("n = 6 * 7; n"))
'42'

The page's console runs it in a worker. `await` works at the top level. An exception of the source
is raised as a `ConsoleError` whose text is the traceback without this file's frames.

`Help` is the session's `help()`, with the verbs and options of each desk: the page's package has no
docstrings, to keep it small, so Python's own `help` would be empty.

>>> print(help_text("code advise").splitlines()[0])
code advise: Rank the next guess.
"""

from __future__ import annotations

import ast
import builtins
import codeop
import importlib
import inspect
import linecache
import traceback
from types import CodeType, TracebackType
from typing import Any

from cluewise import desks
from cluewise.core.desk import describe_options

LONGEST = 50_000  # characters of one value, so that the page stays responsive
WIDTH = 88
DEEPEST = 12  # levels of nesting that are formatted; a list may contain itself
BRACKETS: dict[type, tuple[str, str]] = {dict: ("{", "}"), list: ("[", "]"), tuple: ("(", ")")}


class ConsoleError(Exception):
    """An exception in the user's code; the text is its traceback."""


class InteractiveConsole:
    """A session: names persist between inputs, and `_` is the last value.

    `drawing` is the last value as SVG where it draws itself (`_repr_svg_`), else "".
    """

    def __init__(self, names: dict[str, Any] | None = None) -> None:
        self.names: dict[str, Any] = {"__name__": "__console__", "__builtins__": builtins}
        self.names |= names or {}
        self._inputs = 0
        self.drawing = ""

    def wants_more(self, source: str) -> bool:
        """Return whether Enter should begin a new line instead of running the source.

        As in Python's own prompt, a block ends with an empty line. False for source with a syntax
        error, so that running it shows the error.
        """
        last = source.rsplit("\n", 1)[-1]
        if "\n" in source and last[:1].isspace() and last.strip():
            return True
        try:
            code = codeop.compile_command(_without_await(source), "<input>", "single")
        except (SyntaxError, ValueError, OverflowError):
            return False
        return code is None and not (last == "" and _stands(source))

    async def run(self, source: str) -> str | None:
        """Run the source and return its last expression's value as text, or None."""
        self._inputs += 1
        self.drawing = ""
        name = f"<input {self._inputs}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        try:
            body, last = _compiled(source, name)
            await self._evaluate(body)
            value = None if last is None else await self._evaluate(last)
        except (Exception, KeyboardInterrupt, SystemExit) as problem:
            raise ConsoleError(_shown(problem, name)) from None
        if value is None:
            return None
        self.names["_"] = value
        return self._text(value, name)

    async def _evaluate(self, code: CodeType) -> Any:
        value = eval(code, self.names)  # the user's own code, in the user's own browser
        return await value if code.co_flags & inspect.CO_COROUTINE else value

    def _text(self, value: object, name: str) -> str:
        try:
            draw = None if isinstance(value, type) else getattr(value, "_repr_svg_", None)
            self.drawing = (draw() if draw else "") or ""
            text = _pretty(value)
        except Exception as problem:
            raise ConsoleError(_shown(problem, name)) from None
        if len(text) <= LONGEST:
            return text
        return f"{text[:LONGEST]}\n… and {len(text) - LONGEST:,} characters more"


def _compiled(source: str, name: str) -> tuple[CodeType, CodeType | None]:
    """Compile all statements except a final expression, and that expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    body = compile(tree, name, "exec", flags, dont_inherit=True)
    if last is None:
        return body, None
    assert isinstance(last, ast.Expr)
    expression = ast.Expression(last.value)
    return body, compile(expression, name, "eval", flags, dont_inherit=True)


def _pretty(value: object, indent: str = "") -> str:
    """Return the repr; values longer than a line are indented like JSON, two spaces per level.

    A numpy array is shown as a table below its shape and dtype.
    """
    shape, kind = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape and kind is not None:
        return f"{'×'.join(map(str, shape))} {kind}\n{value}"
    text = repr(value)
    nested = type(value) in BRACKETS and len(indent) < 2 * DEEPEST
    if not nested or len(indent) + len(text) <= WIDTH:
        return text
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{key!r}: {_pretty(item, inner)}" for key, item in value.items()]
    else:
        assert isinstance(value, list | tuple)
        items = [_pretty(item, inner) for item in value]
    start, end = BRACKETS[type(value)]
    return f"{start}\n{fill_lines(items, inner, WIDTH)}\n{indent}{end}"


def fill_lines(items: list[str], indent: str, width: int) -> str:
    """Join items with commas in lines of less than `width`; multi-line items get their own."""
    lines = [""]
    for item in items:
        fits = len(indent) + len(lines[-1]) + len(item) + 1 < width and "\n" not in item
        if lines[-1] and (not fits or "\n" in lines[-1]):
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{item},"
    return "\n".join(indent + line for line in lines)


def _shown(problem: BaseException, name: str) -> str:
    """Return the traceback from the user's input on (none for a syntax error)."""
    frames: TracebackType | None = problem.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != name:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(problem), problem, frames)).rstrip()


def _stands(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _without_await(source: str) -> str:
    """Remove `await` for the test of completeness, which rejects it outside a function."""
    return source.replace("await ", "")


BEGIN = """\
run({"desk": "code", "want": "advise", "position": {...}, "options": {...}}) answers a request.

Desks:"""
MORE = """
help("code") lists the verbs of a desk, help("code advise") the options of a verb,
help(x) describes a Python object."""


class Help:
    """The console's `help`; without arguments it shows an overview."""

    def __repr__(self) -> str:
        return help_text()

    def __call__(self, topic: object = None) -> None:
        """Print the help on a desk, a verb or any object."""
        print(help_text(topic))


def help_text(topic: object = None) -> str:
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
