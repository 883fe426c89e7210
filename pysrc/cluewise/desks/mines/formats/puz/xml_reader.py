"""Parser of XML-like text into a tree of elements, each with its line and offsets in the text.

Not a parser of the platform: level files are read whatever the case of their tags, and unknown
elements are kept verbatim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cluewise.errors import BadNotation, TooLarge

LIMIT = 4 << 20  # characters
# One pass: after a name comes something else, and what has no end takes all that follows.
_TAG = re.compile(
    r"<!\[CDATA\[(?P<raw>.*?)(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<[?!][^<>]*>"
    r"|<(?P<slash>/?)(?P<name>[A-Za-z_][\w.-]*)(?P<rest>(?:[^\w.<>-][^<>]*)?)>",
    re.DOTALL,
)
_ENTITY = re.compile(r"&(?:#(?P<number>\d{1,7})|#x(?P<hex>[0-9a-fA-F]{1,6})|(?P<name>[a-z]{2,4}));")
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}


@dataclass(slots=True)
class Element:
    """A tag with its children, its own text, its line and its offsets."""

    name: str
    line: int
    begin: int
    end: int = 0
    children: list[Element] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return its own text, without that of its children."""
        return "".join(self.parts)

    def child(self, name: str) -> Element | None:
        """Return the first child of that name."""
        return next((c for c in self.children if c.name == name), None)

    def value(self, name: str, usual: str = "") -> str:
        """Return the text of a child, stripped."""
        found = self.child(name)
        return found.text.strip() if found else usual


def parse(text: str, root_name: str) -> Element:
    """Return the element of that name; BadNotation names the line of the fault."""
    if len(text) > LIMIT:
        raise TooLarge(f"This file is longer than {LIMIT >> 20} million characters.", "line 1")
    root = Element("", 1, 0)
    stack = [root]
    at, line, counted = 0, 1, 0
    for match in _TAG.finditer(text):
        stack[-1].parts.append(_plain(text[at : match.start()]))
        at = match.end()
        line += text.count("\n", counted, match.start())
        counted = match.start()
        if match["raw"] is not None:
            stack[-1].parts.append(match["raw"])
        if match["name"] is None:
            continue
        name = match["name"].upper()
        if not match["slash"]:
            element = Element(name, line, match.start(), match.end())
            stack[-1].children.append(element)
            if not match["rest"].rstrip().endswith("/"):
                stack.append(element)
        elif len(stack) == 1 or stack[-1].name != name:
            open_tag = stack[-1].name
            what = f"<{open_tag}> is still open" if open_tag else "nothing is open"
            raise BadNotation(f"</{name}> ends here, but {what}.", f"line {line}")
        else:
            stack.pop().end = match.end()
    if len(stack) > 1:
        raise BadNotation(f"<{stack[-1].name}> is never closed.", f"line {stack[-1].line}")
    found = root.child(root_name)
    if found is None:
        raise BadNotation(f"This is not a .puz file: it has no <{root_name}>.", "line 1")
    return found


def _plain(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    """Return the character of an entity; an unknown entity stays unchanged."""
    if match["name"]:
        return _NAMED.get(match["name"], match[0])
    code = int(match["number"]) if match["number"] else int(match["hex"], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]


def escaped(text: str) -> str:
    """Escape a text between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def tag(depth: int, name: str, text: str) -> str:
    """Return one line: `tag(1, "ID", "p1")` is `" <ID>p1</ID>"`; an empty text keeps both tags."""
    return f"{'  ' * depth}<{name}>{escaped(text)}</{name}>"
