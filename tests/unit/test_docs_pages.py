"""The pages to read: every link leads somewhere, nothing is fetched from elsewhere, one frame."""

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from cluewise import desks, links, service
from cluewise.errors import CluewiseError
from wasm_build.bench import scaling
from wasm_build.docs import api, pages, scaling_plots

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
# The pages to read, by the path that they have next to the others; a test that needs one makes it.
DOCS = [WEB / "docs" / name for name in pages.names()]
PAGES = [*sorted(WEB.glob("*.html")), *DOCS]
FETCHED = {("script", "src"), ("link", "href"), ("img", "src"), ("source", "srcset")}
BROWSER = ("browser.py", "worker.py", "console.py", "__main__.py")  # they need a page's Python
DRAWN = {"glossary.html": WEB / "strings-glossary.ts"}  # pages whose ids come from a script


def text_of(path: Path) -> str:
    return pages.pages()[path.name] if path in DOCS else path.read_text()


class Page(HTMLParser):
    """What a page points to, and what in it can be pointed at."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(text_of(path))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        self.fetched += [value for name, value in found.items() if (tag, name) in FETCHED]


def targets(page: Page) -> Iterator[tuple[Path, str]]:
    """Files and fragments that the page's own links name."""
    for address in [*page.links, *page.fetched]:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https", "mailto"):
            continue
        path = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        yield path, unquote(parts.fragment)


@cache
def ids_of(path: Path) -> set[str]:
    drawn = DRAWN[path.name].read_text() if path.name in DRAWN else ""
    return set(Page(path).ids) | set(re.findall(r"^ {2}(\w+): \{$", drawn, re.MULTILINE))


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(WEB)))
def test_links_of_the_docs_have_targets(path: Path) -> None:
    for target, fragment in targets(Page(path)):
        assert target in DOCS or target.is_file() or target.with_suffix(".ts").is_file(), (
            f"{path.name} names {target}"
        )
        if fragment.startswith("/"):
            check_link(fragment)
        elif fragment:
            assert fragment in ids_of(target), f"{path.name} names {target.name}#{fragment}"


@pytest.mark.parametrize(
    "path",
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((pages.DOCS / "dev").glob("*.md"))],
    ids=lambda p: p.name,
)
def test_links_between_documents_have_targets(path: Path) -> None:
    for address in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text()):
        if not urlsplit(address).scheme:
            assert (path.parent / address).exists(), f"{path.name} names {address}"


def test_contributing_guide_is_at_most_8_kb() -> None:
    assert (ROOT / "CONTRIBUTING.md").stat().st_size <= 8 * 1024


def check_link(fragment: str) -> None:
    """A link into a desk names a desk there is, with a position that the desk accepts."""
    name, *payload = fragment.strip("/").split("/")
    if payload:
        found = links.decode(f"#{fragment}")
        position = found[1] if isinstance(found, tuple) else found
        service.read_position(desks.load(name), position)
    elif name:
        assert name in desks.NAMES


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(WEB)))
def test_docs_pages_obey_their_policy_and_load_nothing_from_other_sites(path: Path) -> None:
    page = Page(path)
    for address in page.fetched:
        assert not urlsplit(address).scheme, address
        assert not address.startswith("/"), f"{address} would break in a sub-folder"
    for tag, attributes in page.tags:
        assert "style" not in attributes, (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        assert tag != "style"
        assert tag != "script" or attributes.get("src")


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_docs_pages_have_metadata_unique_ids_and_alternative_texts(path: Path) -> None:
    text = text_of(path)
    assert re.search(r"<title>[^<{]+</title>", text)
    assert re.search(r'<meta name="description" content="[^"{]{20,}">', text)
    assert not re.search(r"\{(title|description|scripts|text)\}", text)
    assert text.count("<main") == text.count("<h1") == 1
    page = Page(path)
    assert len(page.ids) == len(set(page.ids))
    for attributes in (attributes for tag, attributes in page.tags if tag == "img"):
        assert attributes.get("alt"), attributes
        assert attributes.get("width", "").isdigit(), attributes
        assert attributes.get("height", "").isdigit(), attributes


def test_document_without_metadata_is_refused() -> None:
    with pytest.raises(ValueError, match="title"):
        pages.split_head("<h1>No head</h1>")


def public_names() -> Iterator[tuple[str, object]]:
    """Every public function and class of the package as Python sees them: name and object."""
    for path in sorted(api.PACKAGE.rglob("*.py")):
        name = api.module_name(path)
        if path.name in BROWSER or "._" in name:
            continue
        module = importlib.import_module(name)
        for each, value in vars(module).items():
            ours = getattr(value, "__module__", None) == name and not each.startswith("_")
            if ours and (inspect.isfunction(value) or inspect.isclass(value)):
                yield f"{name}.{value.__qualname__}", value


def test_api_pages_have_every_public_function_with_its_docstring() -> None:
    rooms = [one for one in pages.names() if one.startswith("api")]
    found = {one for room in rooms for one in Page(WEB / "docs" / room).ids}
    names = dict(public_names())
    assert len(names) > 800
    assert [name for name in names if name not in found] == []
    assert [name for name, value in names.items() if not inspect.getdoc(value)] == []
    text = "".join(text_of(WEB / "docs" / room) for room in rooms)
    assert "seal(secret: str, purpose: str) -&gt; str" in text
    assert "<code>s1</code> + base64url of its deflated bytes" in text
    assert "<pre><code>&gt;&gt;&gt; unseal(seal(" in text
    assert 'href="api.html"' in text_of(WEB / "docs" / "contract.html")
    searched = json.loads(pages.pages()["search.json"])
    assert set(names) <= {one for found in searched.values() for one in found}
    for desk in desks.available():
        verbs = {f"{desk}-{verb.name}" for verb in desks.load(desk).verbs}
        assert verbs <= set(searched[f"contract-{desk}.html"])


def test_every_glossary_reference_exists() -> None:
    text = (WEB / "strings-glossary.ts").read_text()
    known = set(re.findall(r"^ {2}(\w+): \{$", text, re.MULTILINE))
    chapters = set(Page(WEB / "docs" / "theory.html").ids)
    assert len(known) > 20
    for group in re.findall(r"also: \[(.*?)\]", text):
        assert set(re.findall(r'"(\w+)"', group)) <= known
    assert set(re.findall(r'more: "(\w+)"', text)) <= chapters


def test_broken_link_is_detected() -> None:
    with pytest.raises(CluewiseError):
        check_link("/code/1/AAAA")


def test_each_desk_has_a_curve_over_a_wide_range_of_sizes() -> None:
    assert set(scaling_plots.curves()) == set(desks.available()) == set(scaling_plots.LABELS)
    for desk, points in scaling_plots.curves().items():
        sizes = [point["size"] for point in points]
        assert sizes == list(scaling.SIZES[desk])[: len(sizes)]
        assert sizes[-1] >= 3 * sizes[0]
        assert all(p["seconds"] > 0 and p["megabytes"] > 10 for p in points if "stops" not in p)


@pytest.mark.parametrize("desk", desks.available())
def test_curve_has_a_labelled_point_per_measurement(desk: str) -> None:
    drawing, points = scaling_plots.text(desk), scaling_plots.curves()[desk]
    assert drawing.count("<circle") == len(points)
    assert f'id="curve-{desk}"' in pages.pages()["limits.html"]
    for point in points:
        assert f">{scaling_plots.number(point['size'])}</text>" in drawing
        assert f">{scaling_plots.time(point['seconds'])}</text>" in drawing
    heights = [float(y) for y in re.findall(r'<circle.*?cy="(\d+)"', drawing)]
    order = sorted(range(len(points)), key=lambda i: points[i]["seconds"])
    assert [heights[i] for i in order] == sorted(heights, reverse=True)
    # Colours come from the docs' classes: right in the light, in the dark and in forced colours.
    known = set(re.findall(r"svg (?:text)?\.(\w+)", (WEB / "docs" / "docs.css").read_text())) | {
        "strong"
    }
    assert set(" ".join(re.findall(r'class="([^"]*)"', drawing)).split()) <= known
    assert not re.search(r"(fill|stroke|style)=", drawing)


def test_table_of_verbs_is_complete() -> None:
    text = (ROOT / "web/docs/dev/desks.md").read_text().partition("## Verbs side by side")[2]
    rows = [re.findall(r"[^|]+", line) for line in re.findall(r"^\| .*", text, re.MULTILINE)]
    head = [cell.strip() for cell in rows[0]]
    for name in desks.NAMES:
        cells = [row[head.index(name)] for row in rows[1:] if len(row) == len(head)]
        named = {verb for cell in cells for verb in re.findall(r"`([\w-]+)`", cell)}
        assert sorted(named) == sorted(verb.name for verb in desks.load(name).verbs), name
