"""Strategies as decision trees, and their texts: an indented tree, nested braces, JSON.

    0012 (1296)            {0012:{00:{3345:{…}},01:…}}            {"guess":"0012","answers":{…}}
      0A0B 3345 (81)

Braces hold a guess and a child for each answer; an answer is `xAyB` or the two digits `xy`, and a
leaf is its guess. The winning answer is not listed. Guesses are in the symbols 0-9a-f, in the
position's signs, or in A, B, C … or 1, 2, 3 …. JSON and braces have one recursive-descent parser.

>>> steps_of(Branch("0", 2, {"0A0B": Branch("1", 1)}))
[1, 1]
>>> read_strategy(Source(Rules(1, 2), "{0:{00:1}}")).branches[0].child.guess
'1'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

import msgspec

from cluewise.desks.code.position import Rules, guess_error
from cluewise.errors import BadNotation


class Branch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A guess, the number of codes left before it, and a branch for each answer but the win."""

    guess: str
    """The guess."""
    left: int
    """Codes left before the guess."""
    answers: dict[str, Branch] = {}
    """The branch after each answer; a win has no entry."""


def found_after(tree: Branch) -> Iterator[tuple[str, int]]:
    """The codes that the tree finds, each with its number of guesses.

    The guess of a branch is a code if its children have fewer codes than are left.
    """
    stack = [(tree, 1)]
    while stack:
        branch, depth = stack.pop()
        unaccounted = branch.left
        for child in branch.answers.values():
            unaccounted -= child.left
            stack.append((child, depth + 1))
        if unaccounted > 0:
            yield branch.guess, depth


def steps_of(tree: Branch) -> list[int]:
    """Return the histogram, codes found by number of guesses: `[1, 13, …]`."""
    counts = Counter(depth for _, depth in found_after(tree))
    return [counts[depth] for depth in range(1, max(counts, default=0) + 1)]


def tree_text(tree: Branch) -> Iterator[str]:
    """The lines of the indented tree: `0012 (1296)`, then `  0A0B 3345 (81)` and so on."""
    stack = [(tree, "", "")]
    while stack:
        branch, answer, indent = stack.pop()
        yield f"{indent}{answer}{branch.guess} ({branch.left})"
        for name, child in reversed(branch.answers.items()):
            stack.append((child, f"{name} ", indent + "  "))


_DEEPEST = 64
_TOKEN = re.compile(r'\s*(?:([{}\[\]:,])|"([^"\\\n]*)"|([^\s{}\[\]:,"]+)|(\S))')
_LINE = re.compile(
    # Possessive quantifiers: a line is read in one pass.
    r"([ \t]*+)(?:([0-9AaBb!]++)(?:[ \t]*+:[ \t]*+|[ \t]++))?"
    r"([^\s():]++)[ \t]*+(?:\((\d{1,15}+)\))?[ \t]*+$"
)


@dataclass(slots=True)
class Word:
    """A token and its offset in the text."""

    text: str
    at: int


@dataclass(slots=True)
class Node:
    """A parsed guess and its branches; `left`: the number of codes in the text."""

    guess: str
    at: int
    left: int | None = None
    branches: list[Edge] = field(default_factory=list)


@dataclass(slots=True)
class Edge:
    """An answer, as its index in `rules.answers()`, its offset, and the next guess."""

    answer: int
    at: int
    child: Node


class Source:
    """A text with the rules under which it is parsed."""

    def __init__(self, rules: Rules, text: str, where: str = "$") -> None:
        self.rules, self.text, self.where = rules, text, where
        self.answers = {rules.answer_name(pair): i for i, pair in enumerate(rules.answers())}
        if rules.feedback in ("full", "keep", "exact"):
            self.answers |= {f"{x}{y}": i for i, (x, y) in enumerate(rules.answers())}

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1."""
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def error(self, why: str, at: int) -> BadNotation:
        """Return an error with line and column."""
        line, column = self.place(at)
        return BadNotation(f"Line {line}, column {column}: {why}", self.where)

    def answer(self, word: Word) -> int:
        """Return the index of an answer."""
        number = self.answers.get(word.text.upper())
        if number is None:
            raise self.error(f"{word.text[:20]!r} is not an answer under these rules.", word.at)
        return number


def read_strategy(source: Source, signs: Sequence[str] = ()) -> Node:
    """Parse a strategy; raises `BadNotation` with line and column."""
    text = source.text
    if text.lstrip()[:1] in ("{", '"'):
        parser = _Parser(source)
        root = parser.tree(parser.value())
        parser.end()
    else:
        root = _read_lines(source)
    _translate(source, root, signs)
    return root


def list_nodes(root: Node) -> Iterator[Node]:
    """All nodes in preorder."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += (branch.child for branch in reversed(node.branches))


def _translate(source: Source, root: Node, signs: Sequence[str]) -> None:
    """Convert all guesses to the symbols of the rules."""
    rules, nodes = source.rules, list(list_nodes(root))
    used = set[str]().union(*(node.guess for node in nodes))
    alphabets = [
        rules.symbols,
        ascii_uppercase[: rules.colours],
        "123456789abcdefg"[: rules.colours],
    ]
    if signs and all(len(sign) == 1 for sign in signs):
        alphabets.insert(1, "".join(signs))
    for alphabet in alphabets:
        if used <= {*alphabet, "."}:
            table = str.maketrans(alphabet, rules.symbols)
            break
    else:
        table = {}
    for node in nodes:
        node.guess = node.guess.translate(table)
        if why := guess_error(rules, node.guess):
            raise source.error(why, node.at)


def _start(source: Source) -> int:
    """Return the offset of the line with the first guess; a table before it is skipped."""
    at = 0
    for line in source.text.split("\n"):
        match = _LINE.fullmatch(line.rstrip("\r"))
        if match and not match[1] and not match[2] and len(match[3]) == source.rules.pegs:
            return at
        at += len(line) + 1
    return 0


def _read_lines(source: Source) -> Node:
    """Parse an indented tree, one guess per line."""
    path: list[tuple[int, Node]] = []
    root: Node | None = None
    at = _start(source)
    for line in source.text[at:].split("\n"):
        start, at = at, at + len(line) + 1
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.rstrip("\r"))
        if match is None:
            raise source.error("A line has an answer, a guess and a count: 0A0B 3345 (81).", start)
        indent = len(match[1].expandtabs(4))
        while path and path[-1][0] >= indent:
            path.pop()
        node = Node(match[3], start + match.start(3), int(match[4]) if match[4] else None)
        if root is None:
            if match[2]:
                raise source.error("The first guess follows no answer.", start + match.start(2))
            root = node
        elif not path:
            raise source.error("There is a second first guess.", node.at)
        elif not match[2]:
            raise source.error("The answer before the guess is missing.", node.at)
        else:
            word = Word(match[2], start + match.start(2))
            path[-1][1].branches.append(Edge(source.answer(word), word.at, node))
        path.append((indent, node))
        if len(path) > _DEEPEST:
            raise source.error(f"More than {_DEEPEST} guesses in a row.", node.at)
    if root is None:
        raise source.error("There is no guess in this text.", 0)
    return root


@dataclass(slots=True)
class Group:
    """An object or list: words and their values."""

    at: int
    pairs: list[tuple[Word, Word | Group]]

    def get(self, name: str) -> Word | Group | None:
        """Return the value of a word."""
        return next((value for key, value in self.pairs if key.text == name), None)


class _Parser:
    """Recursive-descent parser of nested braces with words, and of JSON."""

    def __init__(self, source: Source) -> None:
        self.source, self.at, self.depth = source, 0, 0
        self.mark, self.word = "", Word("", 0)
        self.next()

    def next(self) -> None:
        """Read the next token: `mark` is a sign, `""` for a word, `"end"` after the last."""
        text = self.source.text
        match = _TOKEN.match(text, self.at)
        if match is None:
            self.mark, self.word = "end", Word("the end of the text", len(text.rstrip()))
            return
        kind = match.lastindex or 4
        if kind == 4:
            raise self.source.error("A quotation mark is not closed.", match.start(4))
        self.mark = match[1] or ""
        self.word, self.at = Word(match[kind], match.start(kind)), match.end()

    def expect(self, mark: str) -> None:
        """Read a sign; raises if the token is another."""
        if self.mark != mark:
            why = f"{mark!r} is expected, not {self.word.text[:20]!r}."
            raise self.source.error(why, self.word.at)
        self.next()

    def end(self) -> None:
        """Raise unless the text ends here."""
        if self.mark != "end":
            message = f"The strategy is complete before {self.word.text[:20]!r}."
            raise self.source.error(message, self.word.at)

    def value(self) -> Word | Group:
        """Parse a word, an object or a list."""
        if self.mark == "":
            word = self.word
            self.next()
            return word
        group = Group(self.word.at, [])
        self.depth += 1
        if self.depth > 2 * _DEEPEST + 4:
            raise self.source.error(f"More than {_DEEPEST} guesses in a row.", group.at)
        close = "]" if self.mark == "[" else "}"
        self.expect("[" if close == "]" else "{")
        while self.mark != close:
            if group.pairs:
                self.expect(",")
            key = self.word if self.mark == "" and close == "}" else Word("", self.word.at)
            if close == "}":
                self.expect("")
                self.expect(":")
            group.pairs.append((key, self.value()))
        self.next()
        self.depth -= 1
        return group

    def tree(self, value: Word | Group) -> Node:
        """Return the node of a parsed value."""
        source = self.source
        if isinstance(value, Word):
            return Node(value.text, value.at)
        inner = value.get("tree")
        if isinstance(inner, Group):
            return self.tree(inner)
        guess, left, answers = value.get("guess"), value.get("left"), value.get("answers")
        if isinstance(guess, Word):
            node = Node(guess.text, guess.at)
            if isinstance(left, Word) and left.text.isascii() and left.text.isdigit():
                node.left = int(left.text[:9])
        elif len(value.pairs) == 1:
            word, answers = value.pairs[0]
            node = Node(word.text, word.at)
        else:
            raise source.error("Braces hold one guess: {0012:{00:3345}}.", value.at)
        if isinstance(answers, Word):
            raise source.error("The answers after a guess stand in braces.", answers.at)
        for word, below in answers.pairs if answers else ():
            node.branches.append(Edge(source.answer(word), word.at, self.tree(below)))
        return node
