"""The pages to read, out of their texts: one frame round all; contract and API from the package.

    web/docs/frame.html        the frame: {title}, {description}, {scripts}, {text}
    web/docs/pages/NAME.html   a comment with title:, description:, perhaps script:, and the text
    web/docs/dev/NAME.md       for developers: the same comment, and Markdown; becomes dev-NAME.html
    web/docs/everywhere.html   what every guide says at its end
    web/docs/positions.html    what is said of each desk's position, by hand: a heading a desk
    web/docs/curves.json       what the work costs as it grows; <!-- curve DESK --> draws it
    web/docs/samples/*.json    requests: [{"want", "title", "position", "options"}]; run, and shown

In the contract every desk, verb, option and field comes from the structs: a field's sentence is the
string that stands after it in the source (an attribute docstring), an option's is its description.
site/build.py puts the pages into dist/docs/.
"""

from __future__ import annotations

import ast
import html
import inspect
import itertools
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import msgspec.inspect as mi
from markdown_it import MarkdownIt

from cluewise import desks, service
from cluewise.core.desk import Verb, describe_options
from wasm_build.codegen.typescript import Namer, text_of
from wasm_build.docs import licences, scaling_plots
from wasm_build.docs.api import api, words

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "web" / "docs"
PACKAGE_HERE = "<!-- package -->\n"
SEARCH_HERE = "<!-- search -->\n"
SEARCH = (
    '<search><label for="find">Find a verb, type or function</label> <input id="find"'
    ' type="search" autocomplete="off" placeholder="advise">'
    '<ul id="found" class="contents" aria-live="polite"></ul></search>\n'
)
EVERYWHERE = "<!-- everywhere -->\n"
LICENCES = "<!-- licences -->\n"
CURVE = re.compile(r"<!-- curve (\w+) -->")
OWN_LICENCE = "<!-- own licence -->\n"
MORE = "…"
MOST_ITEMS, MOST_KEYS = 3, 12  # of an answer that are shown
WIDTH = 96


@cache
def pages() -> dict[str, str]:
    """Every page by its name in docs/: `{"theory.html": "<!doctype html>…"}`."""
    found = {name: page(path) for name, path in sources().items()}
    for name in desks.available():
        found[f"contract-{name}.html"] = framed(
            f"contract-{name}.html",
            {
                "title": f"JSON of the {name} desk · Cluewise",
                "description": f"Positions, verbs and results of Cluewise’s {name} desk as JSON.",
            },
            desk_section(name),
        )
        found[f"api-{name}.html"] = framed(
            f"api-{name}.html",
            {
                "title": f"Functions of the {name} desk · Cluewise",
                "description": f"Every public function and class of Cluewise’s {name} desk.",
            },
            f"<h1>Functions of the {name} desk</h1>\n"
            f'<p><a href="api.html">The package and other desks</a></p>\n{SEARCH}{api(name)}',
        )
    return found | {"search.json": search_index(found)}


def names() -> list[str]:
    """Return the names of all pages: those with a text of their own, and two for each desk."""
    made = [f"{kind}-{name}.html" for kind in ("contract", "api") for name in desks.available()]
    return [*sources(), *made]


def search_index(found: dict[str, str]) -> str:
    """Return what the search of contract and API finds: `{"api.html": ["cluewise.link"]}`."""
    ids = {
        name: re.findall(r'<(?:h2|h3|dt) id="([^"]+)"', text)
        for name, text in found.items()
        if name.startswith(("contract-", "api"))
    }
    return json.dumps(ids, separators=(",", ":"))


def sources() -> dict[str, Path]:
    """Return the text of every page, by the page's name: `{"dev-kernel.html": …/dev/kernel.md}`."""
    texts = {path.name: path for path in sorted((DOCS / "pages").glob("*.html"))}
    return texts | {f"dev-{path.stem}.html": path for path in sorted((DOCS / "dev").glob("*.md"))}


def page(path: Path) -> str:
    """One page in its frame."""
    head, text = split_head(path.read_text())
    if path.suffix == ".md":
        text = from_markdown(text)
    text = text.replace(SEARCH_HERE, SEARCH)
    if PACKAGE_HERE in text:
        text = text.replace(PACKAGE_HERE, api())
    if LICENCES in text:
        own = html.escape((ROOT / "LICENSE").read_text(), quote=False)
        text = text.replace(LICENCES, licences.text())
        text = text.replace(OWN_LICENCE, f"<pre>{own}</pre>\n")
    text = CURVE.sub(lambda found: scaling_plots.text(found[1]), text)
    text = text.replace(EVERYWHERE, (DOCS / "everywhere.html").read_text())
    return framed(path.name, head, text)


def framed(name: str, head: dict[str, str], text: str) -> str:
    """Return a text in the frame of all pages."""
    script = head.get("script")
    frame = (DOCS / "frame.html").read_text()
    frame = frame.replace(f'<a href="{name}">', f'<a href="{name}" aria-current="page">')
    fills = {
        "title": head["title"],
        "description": head["description"],
        "scripts": f'<script type="module" src="{script}"></script>\n' if script else "",
        "text": text,
    }
    return re.sub(r"\{(title|description|scripts|text)\}", lambda m: fills[m[1]], frame)


def split_head(text: str) -> tuple[dict[str, str], str]:
    """The words at the top of a text and the text itself; ValueError where they are missing."""
    match = re.match(r"<!--\n(.*?)-->\n", text, flags=re.DOTALL)
    if match is None:
        raise ValueError("a page begins with <!--, title:, description: and -->")
    lines = (line.partition(": ") for line in match[1].splitlines())
    return {name: value for name, _, value in lines}, text[match.end() :]


def from_markdown(text: str) -> str:
    """Return a developer page as HTML; links between the texts become links between the pages."""
    text = re.sub(r"\]\(\.\./pages/", "](", text)
    text = re.sub(r"\]\(([\w-]+)\.md", r"](dev-\1.html", text)
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(text)
    for token, following in itertools.pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"[^\w]+", "-", following.content.lower()).strip("-"))
    found = str(reader.renderer.render(tokens, reader.options, {}))
    region = '<div class="wide" role="region" tabindex="0" aria-label="Table {}">\n<table>'
    number = itertools.count(1)
    found = re.sub("<table>", lambda _: region.format(next(number)), found)
    return found.replace("</table>", "</table></div>")


def desk_section(name: str) -> str:
    """Everything a desk can be asked, as HTML."""
    desk, texts = desks.load(name), (DOCS / "positions.html").read_text().split("<h1>")
    (by_hand,) = (f"<h1>{text}" for text in texts if text.startswith(f"JSON of the {name} desk"))
    links = (f'<li><a href="#{name}-{verb.name}">{verb.name}</a></li>' for verb in desk.verbs)
    contents = f'<nav aria-label="Verbs"><ul class="contents">\n{"".join(links)}</ul></nav>\n'
    back = f'<p><a href="contract.html">Requests, errors and other desks</a></p>\n{SEARCH}'
    namer, parts = Namer(), [by_hand, back, contents]
    parts.append(_table(f"Fields of a {name} position", _fields(desk.position, namer)))
    shown = {desk.position}
    for verb in desk.verbs:
        parts.append(_verb(name, verb, namer))
        shown.update(result_structs(verb.result))
    # The list grows while it is read: writing a part may name more of them.
    parts.extend(_part(name, struct, namer) for struct in namer.order if struct not in shown)
    rest = [namer.name(struct) for struct in namer.order if struct not in shown]
    return _linked("".join(parts), name, rest)


def _linked(text: str, name: str, parts: list[str]) -> str:
    """The section with every mention of a part's type leading to where it stands."""
    if not parts:
        return text
    known = re.compile(rf"\b({'|'.join(parts)})\b")
    links = rf'<a href="#{name}-part-\1">\1</a>'
    return re.sub(
        r'(?<=<code class="kind">).*?(?=</code>)', lambda kind: known.sub(links, kind[0]), text
    )


def _verb(name: str, verb: Verb[Any, Any], namer: Namer) -> str:
    said = _paragraphs(inspect.getdoc(verb.run) or "")
    parts = [
        f'<h2 id="{name}-{verb.name}">{verb.name}</h2>\n<p>{words(verb.summary)}</p>\n',
        *(f"<p>{words(text)}</p>\n" for text in said),
        _table(f"Options of {name} {verb.name}", _options(verb.options, namer), "Options"),
    ]
    for struct in result_structs(verb.result):
        label = f"Result of {name} {verb.name}" + f": {struct.__name__}" * _is_union(verb.result)
        parts.append(_table(label, _fields(struct, namer), f"Result: {_first(struct)}"))
    parts += [sample(name, one) for one in samples(name) if one["want"] == verb.name]
    return "".join(parts)


def _part(name: str, struct: type, namer: Namer) -> str:
    title = namer.name(struct)
    head = f'<h3 id="{name}-part-{title}">{title}</h3>\n'
    return head + _table(f"{title} of the {name} desk", _fields(struct, namer), _first(struct))


def _options(options: type, namer: Namer) -> Iterator[tuple[str, str, str]]:
    kinds = {f.name: f.type for f in struct_type(options).fields}
    for one in describe_options(options):
        default = "" if one.default is None else f" Default {json.dumps(_plain(one.default))}."
        yield one.name, text_of(kinds[one.name], namer), _sentence(one.text) + default


def _fields(struct: type, namer: Namer) -> Iterator[tuple[str, str, str]]:
    said = sentences(struct)
    for field in struct_type(struct).fields:
        text = _sentence(said.get(field.name, "") or described_by(field))
        if not field.required and struct.__name__ == "Position":
            text += f" Default {json.dumps(_plain(_default(field)))}."
        yield field.encode_name, text_of(field.type, namer), text.strip()


@cache
def sentences(struct: type) -> dict[str, str]:
    """The attribute docstrings of a struct and its bases: `{"count": "Codes that fit."}`."""
    found: dict[str, str] = {}
    for base in reversed([b for b in struct.__mro__ if b.__module__.startswith("cluewise")]):
        tree = _classes(sys.modules[base.__module__])[base.__qualname__]
        for field, text in zip(tree.body, tree.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
                and isinstance(text.value.value, str)
            ):
                found[field.target.id] = " ".join(text.value.value.split())
    return found


@cache
def _classes(module: ModuleType) -> dict[str, ast.ClassDef]:
    """The classes of a module by their names."""
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def samples(name: str) -> list[dict[str, Any]]:
    """The desk's requests that are run and shown."""
    found: list[dict[str, Any]] = json.loads((DOCS / "samples" / f"{name}.json").read_text())
    return found


def sample(name: str, one: dict[str, Any]) -> str:
    """A request and what the program answers, as a part that opens."""
    asked = {"desk": name, "want": one["want"], "position": one.get("position", {})}
    if one.get("options"):
        asked["options"] = one["options"]
    came = shortened(json.loads(json.dumps(service.run(asked))))
    return (
        f'<details class="sample"><summary>Sample: {words(one["title"])}</summary>\n'
        f'<pre class="ask">{_json(asked)}</pre>\n<pre class="answer">{_json(came)}</pre>\n'
        "</details>\n"
    )


def shortened(value: Any) -> Any:
    """The answer with what is long marked as left out: `["a", "b", "c", "…"]`."""
    if isinstance(value, dict):
        kept = {k: shortened(v) for k, v in list(value.items())[:MOST_KEYS]}
        return kept if len(kept) == len(value) else {**kept, MORE: MORE}
    if isinstance(value, list):
        flat = all(not isinstance(item, dict | list) for item in value)
        most = 4 * MOST_ITEMS if flat else MOST_ITEMS
        kept_items = [shortened(item) for item in value[:most]]
        return kept_items if len(value) <= most else [*kept_items, MORE]
    return value


def _json(value: Any) -> str:
    return html.escape(laid_out(value), quote=False)


def laid_out(value: Any, indent: str = "") -> str:
    """JSON in lines of at most WIDTH characters, what fits on one line on one line."""
    text = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(text) <= WIDTH or not isinstance(value, dict | list) or not value:
        return text
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{laid_out(k)}: {laid_out(v, inner)}" for k, v in value.items()]
    else:
        items = [laid_out(item, inner) for item in value]
    lines = [""]
    for item in items:
        joined = f"{lines[-1]} {item}," if lines[-1] else f"{item},"
        fits = len(inner) + len(joined) <= WIDTH and "\n" not in lines[-1] + item
        lines[-1:] = [joined] if fits or not lines[-1] else [lines[-1], f"{item},"]
    open_, close = "{}" if isinstance(value, dict) else "[]"
    body = "\n".join(inner + line for line in lines).removesuffix(",")
    return f"{open_}\n{body}\n{indent}{close}"


def _table(label: str, rows: Iterable[tuple[str, str, str]], title: str = "") -> str:
    lines = [
        f'<tr><th scope="row"><code>{html.escape(name)}</code></th>'
        f'<td><code class="kind">{html.escape(kind)}</code> {words(text)}</td></tr>\n'
        for name, kind, text in rows
    ]
    if not lines:
        return ""
    head = f'<p class="small">{words(title)}</p>\n' if title else ""
    region = f'<div class="wide" role="region" tabindex="0" aria-label="{html.escape(label)}">'
    return f"{head}{region}<table>\n<tbody>\n{''.join(lines)}</tbody></table></div>\n"


def _sentence(text: str) -> str:
    """With a capital and a full stop: `"how many to list"` is `"How many to list."`."""
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _paragraphs(text: str) -> list[str]:
    """A verb's docstring in paragraphs, without samples."""
    return [part for part in re.split(r"\n\s*\n", text) if part and not part.startswith(">>>")]


def _first(struct: type) -> str:
    return _paragraphs(inspect.getdoc(struct) or struct.__name__)[0]


def struct_type(struct: type) -> mi.StructType:
    """What msgspec knows of a struct: its fields with their types and defaults."""
    kind = mi.type_info(struct)
    assert isinstance(kind, mi.StructType)
    return kind


def result_structs(result: Any) -> list[type]:
    """The structs that a verb may answer with: one, or several for a union."""
    kind = mi.type_info(result)
    kinds = kind.types if isinstance(kind, mi.UnionType) else (kind,)
    return [one.cls for one in kinds if isinstance(one, mi.StructType)]


def _is_union(result: Any) -> bool:
    return isinstance(mi.type_info(result), mi.UnionType)


def _default(field: mi.Field) -> object:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def described_by(field: mi.Field) -> str:
    """The description in a field's annotation, empty if it has none."""
    kind = field.type
    schema = kind.extra_json_schema or {} if isinstance(kind, mi.Metadata) else {}
    return str(schema.get("description", ""))


def _plain(value: object) -> Any:
    return msgspec.to_builtins(value)


def stale_inputs() -> list[Path]:
    """Every file that the pages are made of, next to the package."""
    written = sorted(p for p in DOCS.rglob("*") if p.suffix in (".html", ".json", ".md"))
    return [*written, ROOT / "LICENSE", *licences.inputs()]
