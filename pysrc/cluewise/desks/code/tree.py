"""A way of playing as a tree of guesses, and its texts: an indented tree, nested braces, JSON.

    0012 (1296)            {0012:{00:{3345:{…}},01:…}}            {"guess":"0012","answers":{…}}
      0A0B 3345 (81)

Braces hold one guess and what follows each answer; an answer is `xAyB` or the two digits `xy`, and
a branch that only guesses one code is that code. The answer to the code itself is not listed.
Guesses are written in the symbols 0-9a-f, in the position's signs, or in A, B, C … or 1, 2, 3 ….

>>> steps_of(Branch("0", 2, {"0A0B": Branch("1", 1)}))
[1, 1]
>>> read_strategy(Source(Rules(1, 2), "{0:{00:1}}")).branches[0].then.guess
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
    """A guess, how many codes are left before it, and what to do after each answer.

    A win has no entry. An answer that leaves one code leads to a branch without answers.
    """

    guess: str
    """What to ask."""
    left: int
    """Codes left before the guess."""
    answers: dict[str, Branch] = {}
    """What to ask after each answer; a win has no entry."""


def found_after(tree: Branch) -> Iterator[tuple[str, int]]:
    """Each code that a branch finds with its guess, and after how many guesses.

    A branch whose answers do not account for all codes left finds one itself.
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
    """How many codes each number of guesses finds: `[1, 13, …]`."""
    counts = Counter(depth for _, depth in found_after(tree))
    return [counts[depth] for depth in range(1, max(counts, default=0) + 1)]


def tree_text(tree: Branch) -> Iterator[str]:
    """The tree as indented lines: `0012 (1296)`, then `  0A0B 3345 (81)` and so on."""
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
    """A piece of the text and where it begins."""

    text: str
    at: int


@dataclass(slots=True)
class Node:
    """A guess, and what follows each answer; `left` is the number of codes that the text states."""

    guess: str
    at: int
    left: int | None = None
    branches: list[Then] = field(default_factory=list)


@dataclass(slots=True)
class Then:
    """An answer as its number among `rules.answers()`, where it stands, and the next guess."""

    answer: int
    at: int
    then: Node


class Source:
    """The text with the rules that it is read under."""

    def __init__(self, rules: Rules, text: str, where: str = "$") -> None:
        self.rules, self.text, self.where = rules, text, where
        self.answers = {rules.answer_name(pair): i for i, pair in enumerate(rules.answers())}
        if rules.feedback in ("full", "keep", "exact"):
            self.answers |= {f"{x}{y}": i for i, (x, y) in enumerate(rules.answers())}

    def place(self, at: int) -> tuple[int, int]:
        """The line and column of a character, both from 1."""
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def error(self, why: str, at: int) -> BadNotation:
        """The error that names the line and the column."""
        line, column = self.place(at)
        return BadNotation(f"Line {line}, column {column}: {why}", self.where)

    def answer(self, word: Word) -> int:
        """The number of an answer."""
        number = self.answers.get(word.text.upper())
        if number is None:
            raise self.error(f"{word.text[:20]!r} is not an answer under these rules.", word.at)
        return number


def read_strategy(source: Source, signs: Sequence[str] = ()) -> Node:
    """The tree of guesses in a text; raises `BadNotation` with the line and the column."""
    text = source.text
    if text.lstrip()[:1] in ("{", '"'):
        tokens = _Tokens(source)
        root = tokens.tree(tokens.value())
        tokens.end()
    else:
        root = _read_lines(source)
    _translate(source, root, signs)
    return root


def list_nodes(root: Node) -> Iterator[Node]:
    """Every node, each before those that follow it."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += (branch.then for branch in reversed(node.branches))


def _translate(source: Source, root: Node, signs: Sequence[str]) -> None:
    """Write all guesses in the symbols of the rules."""
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
    """Where the line of the first guess begins: lines of a table before it are passed over."""
    at = 0
    for line in source.text.split("\n"):
        match = _LINE.fullmatch(line.rstrip("\r"))
        if match and not match[1] and not match[2] and len(match[3]) == source.rules.pegs:
            return at
        at += len(line) + 1
    return 0


def _read_lines(source: Source) -> Node:
    """An indented tree, a guess a line."""
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
            path[-1][1].branches.append(Then(source.answer(word), word.at, node))
        path.append((indent, node))
        if len(path) > _DEEPEST:
            raise source.error(f"More than {_DEEPEST} guesses in a row.", node.at)
    if root is None:
        raise source.error("There is no guess in this text.", 0)
    return root


@dataclass(slots=True)
class Group:
    """What stands in braces: words, and what follows each after a colon."""

    at: int
    pairs: list[tuple[Word, Word | Group]]

    def get(self, name: str) -> Word | Group | None:
        """What follows that word."""
        return next((value for key, value in self.pairs if key.text == name), None)


class _Tokens:
    """Nested braces with words; JSON is of that form."""

    def __init__(self, source: Source) -> None:
        self.source, self.at, self.depth = source, 0, 0
        self.mark, self.word = "", Word("", 0)
        self.next()

    def next(self) -> None:
        """Go to the next token: `mark` is a sign, `""` for a word, `"end"` after the last."""
        match = _TOKEN.match(self.source.text, self.at)
        if match is None:
            self.mark, self.word = (
                "end",
                Word("the end of the text", len(self.source.text.rstrip())),
            )
            return
        kind = match.lastindex or 4
        if kind == 4:
            raise self.source.error("A quotation mark is not closed.", match.start(4))
        self.mark = match[1] or ""
        self.word, self.at = Word(match[kind], match.start(kind)), match.end()

    def expect(self, mark: str) -> None:
        """Pass a sign, or raise where another token stands."""
        if self.mark != mark:
            raise self.source.error(
                f"{mark!r} is expected, not {self.word.text[:20]!r}.", self.word.at
            )
        self.next()

    def end(self) -> None:
        """Raise unless the text ends here."""
        if self.mark != "end":
            message = f"The strategy is complete before {self.word.text[:20]!r}."
            raise self.source.error(message, self.word.at)

    def value(self) -> Word | Group:
        """A word, or what stands in braces; lists are passed over."""
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
        """The node that a value describes."""
        source = self.source
        if isinstance(value, Word):
            return Node(value.text, value.at)
        inner = value.get("tree")
        if isinstance(inner, Group):
            return self.tree(inner)
        guess, left, then = value.get("guess"), value.get("left"), value.get("answers")
        if isinstance(guess, Word):
            node = Node(guess.text, guess.at)
            if isinstance(left, Word) and left.text.isascii() and left.text.isdigit():
                node.left = int(left.text[:9])
        elif len(value.pairs) == 1:
            word, then = value.pairs[0]
            node = Node(word.text, word.at)
        else:
            raise source.error("Braces hold one guess: {0012:{00:3345}}.", value.at)
        if isinstance(then, Word):
            raise source.error("The answers after a guess stand in braces.", then.at)
        for word, below in then.pairs if then else ():
            node.branches.append(Then(source.answer(word), word.at, self.tree(below)))
        return node
