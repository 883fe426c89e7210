"""Builds the pages of dist/docs/: guides, JSON contract, API and developer pages in one frame.

    web/docs/frame.html        the frame: {title}, {description}, {scripts}, {text}
    web/docs/pages/NAME.html   a comment with title:, description:, optional script:, and the text
    web/docs/dev/NAME.md       developer pages: the same comment and Markdown, as dev-NAME.html
    web/docs/everywhere.html   the end of every guide
    web/docs/positions.html    handwritten text on each desk's position, one heading per desk
    web/docs/curves.json       measured cost by size; <!-- curve DESK --> draws it
    web/docs/samples/*.json    requests with titles, shown with their answers, which are computed

The contract describes verbs, options and fields from the structs: a field's text is its attribute
docstring (the string after it in the source), an option's is its description.
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
from cluewise.browser.console import fill_lines
from cluewise.core.desk import Verb, describe_options
from wasm_build.codegen.typescript import Namer, described_by, text_of
from wasm_build.docs import licences, scaling_plots
from wasm_build.docs.api import api, inline_html
from wasm_build.stages import ROOT

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
MOST_ITEMS, MOST_KEYS = 3, 12  # shown of a list and of an object in an answer
WIDTH = 96


@cache
def pages() -> dict[str, str]:
    """Return every page by its name in docs/: `{"theory.html": "<!doctype html>…"}`."""
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
    """Return the ids for the search in contract and API: `{"api.html": ["cluewise.link"]}`."""
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
    """Return one page in its frame."""
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
    """Return the fields of a text's leading comment, and the text; ValueError without a comment."""
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
    """Return the contract of a desk as HTML: position, verbs and types."""
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
    # The list may grow during the iteration: a part may mention further structs.
    parts.extend(_part(name, struct, namer) for struct in namer.order if struct not in shown)
    rest = [namer.name(struct) for struct in namer.order if struct not in shown]
    return _linked("".join(parts), name, rest)


def _linked(text: str, name: str, parts: list[str]) -> str:
    """Return the section with links from the names of types to their descriptions."""
    if not parts:
        return text
    known = re.compile(rf"\b({'|'.join(parts)})\b")
    links = rf'<a href="#{name}-part-\1">\1</a>'
    return re.sub(
        r'(?<=<code class="kind">).*?(?=</code>)', lambda kind: known.sub(links, kind[0]), text
    )


def _verb(name: str, verb: Verb[Any, Any], namer: Namer) -> str:
    paragraphs = _paragraphs(inspect.getdoc(verb.run) or "")
    parts = [
        f'<h2 id="{name}-{verb.name}">{verb.name}</h2>\n<p>{inline_html(verb.summary)}</p>\n',
        *(f"<p>{inline_html(text)}</p>\n" for text in paragraphs),
        _table(f"Options of {name} {verb.name}", _options(verb.options, namer), "Options"),
    ]
    results = result_structs(verb.result)
    for struct in results:
        label = f"Result of {name} {verb.name}" + f": {struct.__name__}" * (len(results) > 1)
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
    texts = sentences(struct)
    for field in struct_type(struct).fields:
        text = _sentence(texts.get(field.name, "") or described_by(field.type))
        if not field.required and struct.__name__ == "Position":
            text += f" Default {json.dumps(_plain(_default(field)))}."
        yield field.encode_name, text_of(field.type, namer), text.strip()


@cache
def sentences(struct: type) -> dict[str, str]:
    """Return the attribute docstrings of a struct and its bases: `{"count": "Codes that fit."}`."""
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
    """Return the classes of a module by name."""
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def samples(name: str) -> list[dict[str, Any]]:
    """Return the desk's sample requests."""
    found: list[dict[str, Any]] = json.loads((DOCS / "samples" / f"{name}.json").read_text())
    return found


def sample(name: str, one: dict[str, Any]) -> str:
    """Return a request and its answer as a collapsed section."""
    request = {"desk": name, "want": one["want"], "position": one.get("position", {})}
    if one.get("options"):
        request["options"] = one["options"]
    answer = shortened(json.loads(json.dumps(service.run(request))))
    return (
        f'<details class="sample"><summary>Sample: {inline_html(one["title"])}</summary>\n'
        f'<pre class="ask">{_json(request)}</pre>\n<pre class="answer">{_json(answer)}</pre>\n'
        "</details>\n"
    )


def shortened(value: Any) -> Any:
    """Return the answer with long lists and objects cut: `["a", "b", "c", "…"]`."""
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
    """Return JSON in lines of at most WIDTH characters, with as few line breaks as possible."""
    text = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(text) <= WIDTH or not isinstance(value, dict | list) or not value:
        return text
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{laid_out(k)}: {laid_out(v, inner)}" for k, v in value.items()]
    else:
        items = [laid_out(item, inner) for item in value]
    open_, close = "{}" if isinstance(value, dict) else "[]"
    body = fill_lines(items, inner, WIDTH).removesuffix(",")
    return f"{open_}\n{body}\n{indent}{close}"


def _table(label: str, rows: Iterable[tuple[str, str, str]], title: str = "") -> str:
    lines = [
        f'<tr><th scope="row"><code>{html.escape(name)}</code></th>'
        f'<td><code class="kind">{html.escape(kind)}</code> {inline_html(text)}</td></tr>\n'
        for name, kind, text in rows
    ]
    if not lines:
        return ""
    head = f'<p class="small">{inline_html(title)}</p>\n' if title else ""
    region = f'<div class="wide" role="region" tabindex="0" aria-label="{html.escape(label)}">'
    return f"{head}{region}<table>\n<tbody>\n{''.join(lines)}</tbody></table></div>\n"


def _sentence(text: str) -> str:
    """Return text with a capital and a full stop: `"how many"` becomes `"How many."`."""
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a docstring, without samples."""
    return [part for part in re.split(r"\n\s*\n", text) if part and not part.startswith(">>>")]


def _first(struct: type) -> str:
    return _paragraphs(inspect.getdoc(struct) or struct.__name__)[0]


def struct_type(struct: type) -> mi.StructType:
    """Return a struct's fields with types and defaults, as msgspec describes them."""
    kind = mi.type_info(struct)
    assert isinstance(kind, mi.StructType)
    return kind


def result_structs(result: Any) -> list[type]:
    """Return the structs of a verb's result: one, or several for a union."""
    kind = mi.type_info(result)
    kinds = kind.types if isinstance(kind, mi.UnionType) else (kind,)
    return [one.cls for one in kinds if isinstance(one, mi.StructType)]


def _default(field: mi.Field) -> object:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def _plain(value: object) -> Any:
    return msgspec.to_builtins(value)


def stale_inputs() -> list[Path]:
    """Return the files that the pages are built from, besides the package."""
    texts = sorted(p for p in DOCS.rglob("*") if p.suffix in (".html", ".json", ".md"))
    return [*texts, ROOT / "LICENSE", *licences.inputs()]
