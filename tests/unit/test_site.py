"""The built page: the same bytes from every build, and nothing a host could trip over."""

import gzip
import hashlib
import json
import os
import posixpath
import re
import subprocess
import sys
import threading
import urllib.request
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from cluewise import desks, run
from cluewise.core.version import FILES, short_hash, version_string
from wasm_build.docs import licences as build_licences
from wasm_build.site import files as site_files
from wasm_build.site import http_headers
from wasm_build.site.precomputed import unhurried
from wasm_build.site.serve import Server

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
WEB = [p for kind in ("js", "ts", "html") for p in (ROOT / "web").rglob(f"*.{kind}")]

built = pytest.mark.skipif(not DIST.exists(), reason="the page is not built: make dist")


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@built
@pytest.mark.long
def test_builds_are_reproducible(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    subprocess.run(
        [sys.executable, "-m", "wasm_build.site.build", "--to", str(target)],
        cwd=ROOT, env={**os.environ, "CLUEWISE_STAGES": str(tmp_path / "stages")},
        check=True, timeout=600, capture_output=True,
    )  # fmt: skip
    fresh, before = files_of(target), files_of(DIST)
    assert sorted(fresh) == sorted(before)
    assert [name for name in fresh if fresh[name] != before[name]] == []


@built
@pytest.mark.parametrize("desk", desks.available())
def test_precomputed_answers_equal_the_package(desk: str) -> None:
    def known(name: str) -> dict[str, Any]:
        text = (DIST / "engine" / "known" / f"{name}.js").read_text()
        answers: dict[str, Any] = json.loads(text.partition("export default ")[2].rstrip(";\n"))
        return answers

    answers = known(desk)
    for asked, answer in answers.items():
        if isinstance(answer, str):
            answer = known(answer)[asked]
        want, position, options = json.loads(asked)
        request = {"desk": desk, "want": want, "position": position, "options": options}
        assert answer["result"] == run(unhurried(request))
    assert f"{desk}-2" in answers.values(), "an example of the home page"


@built
def test_precache_list_names_every_file_that_a_page_loads() -> None:
    names = set(files_of(DIST))
    listed = set(site_files.listed((DIST / "sw.js").read_bytes()))
    licences = {n for n in names if n.endswith(("LICENSE", "LICENCE"))}
    unhashed = {n for n in names if n.startswith("wheel/")} | set(http_headers.host_files())
    unlisted = names - listed - licences - {"sw.js"} - unhashed
    assert listed <= names
    assert not [name for name in names if name.endswith((".mjs", ".cjs", ".ts"))]  # hosts know .js
    modules = ("app.js", "desks/", "parts/", "shell/picture.js")
    # Unlisted modules are bundled into listed files; no file imports them by name.
    assert all(name.endswith(".js") and not name.startswith("parts/") for name in unlisted)
    assert {"shell/context.js", "desks/rack/board.js"} <= unlisted
    for name in listed:
        if name.endswith(".js") and not name.startswith("pyodide/"):
            assert imported(name) <= listed, name
            if name.startswith(modules):
                assert imported(name) <= {n for n in listed if n.startswith(modules)}, name


IMPORT = re.compile(r'(?:from|import)\s*\(?"(\.[^"]+\.js)"')


def imported(name: str) -> set[str]:
    text = re.sub(r"/\*.*?\*/", "", (DIST / name).read_text(), flags=re.DOTALL)
    folder = PurePosixPath("/", name).parent
    return {posixpath.normpath(folder / found).lstrip("/") for found in IMPORT.findall(text)}


@built
def test_initial_scripts_are_all_preloaded() -> None:
    index = (DIST / "index.html").read_text()
    early = re.findall(r'rel="modulepreload" href="(.+?)"', index)
    assert early[0] == "app.js"
    assert len(early) <= 8
    later = {n for n in files_of(DIST) if re.fullmatch(r"desks/\w+/page\.js|shell/picture\.js", n)}
    assert set().union(*(imported(name) for name in early)) <= {*early, *later}


@built
def test_page_wheel_and_terminal_have_the_same_version() -> None:
    text = (DIST / "session" / "version.js").read_text()
    found = re.search(r"export const edition = (\{.*\});", text)
    assert found
    marks = json.loads(found[1])
    assert version_string() == f"{marks['version']} ({marks['package']})"
    (path,) = (DIST / "wheel").glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        members = [n for n in wheel.namelist() if n.startswith("cluewise/")]
        packed = [
            (n.removeprefix("cluewise/"), wheel.read(n)) for n in members if n.endswith(FILES)
        ]
    assert short_hash(packed) == marks["package"]
    changed = [*packed[:-1], (packed[-1][0], packed[-1][1] + b"\n")]
    assert short_hash(changed) != marks["package"]


@built
def test_alt1_app_opens_the_scan_desk_and_its_files_exist() -> None:
    app = json.loads((DIST / "appconfig.json").read_text())
    assert app["appUrl"] == "./index.html#/scan"
    for name in ("appUrl", "configUrl", "iconUrl"):
        assert (DIST / app[name].partition("#")[0]).is_file(), name
    assert app["permissions"] == ""  # it reads nothing of the screen


@built
def test_manifest_accepts_texts_and_files_and_its_pictures_exist() -> None:
    manifest = json.loads((DIST / "manifest.webmanifest").read_text())
    target = manifest["share_target"]
    words = {name: name for name in ("title", "text", "url")}
    assert {**target["params"], "files": None} == {**words, "files": None}
    assert (target["action"], target["method"]) == ("./share", "POST")
    assert "image/*" in target["params"]["files"][0]["accept"]
    kinds = {
        end for one in manifest["file_handlers"] for ends in one["accept"].values() for end in ends
    }
    assert kinds >= {".json", ".puz", ".txt", ".sdk", ".sdm", ".csv"}
    page = (DIST / "index.html").read_text()
    pictures = re.findall(r'(?:og:image" content|apple-touch-icon" href)="([^"]+)"', page)
    assert len(pictures) == 2
    for name in [*pictures, *(icon["src"] for icon in manifest["icons"])]:
        assert (DIST / name).stat().st_size > 200, name


@built
def test_every_third_party_file_belongs_to_a_listed_component() -> None:
    found = build_licences.third_party_files(files_of(DIST))
    components = build_licences.components()
    assert {one.name for one in components} == set(found.values())
    page = (DIST / "docs" / "licences.html").read_text()
    for one in components:
        assert f'<h2 id="{one.name}">{one.name} {one.version}</h2>' in page
        assert one.texts[0][1].strip()
    assert '<h2 id="cluetrainer">' in page  # a part of its table is in the package
    readme = (ROOT / "README.md").read_text().partition("## Parts and their licences")[2]
    assert [one.name for one in components if one.name not in readme.lower()] == []
    with pytest.raises(LookupError, match=r"vendor/new/index\.js is of no component"):
        build_licences.third_party_files(["vendor/new/index.js"])


@built
def test_lock_file_has_existing_files_with_their_hashes() -> None:
    lock = json.loads((DIST / "pyodide" / "pyodide-lock.json").read_text())
    assert sorted(lock["packages"]) == ["cluewise", "micropip", "msgspec", "numpy", "packaging"]
    for package in lock["packages"].values():
        path = DIST / "pyodide" / package["file_name"]
        packed = path.with_suffix(".bin")  # what every start needs comes packed as one
        data = path.read_bytes() if path.exists() else gzip.decompress(packed.read_bytes())
        assert hashlib.sha256(data).hexdigest() == package["sha256"]
    assert lock["packages"]["cluewise"]["depends"] == ["msgspec"], "numpy must come later"


@built
def test_first_visit_transfers_at_most_the_size_in_the_readme() -> None:
    # Files that are fetched on first use; the service worker has the same pattern.
    worker = (ROOT / "web" / "sw.js").read_text()
    match = re.search(r"ON_USE =\s*/(.+)/;", worker)
    assert match is not None
    later = re.compile(match[1].replace("\\/", "/"))
    loaded = [*site_files.listed((DIST / "sw.js").read_bytes()), "sw.js"]
    first = [(DIST / name).read_bytes() for name in loaded if not later.match(name)]
    claimed = re.search(r"transfers at most ([\d.]+) MB gzipped", (ROOT / "README.md").read_text())
    assert claimed is not None
    assert float(claimed[1]) <= 5.25
    assert sum(len(gzip.compress(data, 6)) for data in first) <= 1e6 * float(claimed[1])


@built
def test_snapshot_has_the_size_in_the_readme() -> None:
    (snapshot,) = (DIST / "pyodide").glob("snapshot-*.bin")
    readme = (ROOT / "README.md").read_text()
    claimed = re.search(r"([\d.]+) MB more let later visits start sooner", readme)
    assert claimed is not None
    assert abs(snapshot.stat().st_size / 1e6 - float(claimed[1])) <= 0.1


@built
def test_every_page_contains_the_policy_of_the_server() -> None:
    pages = [path for path in DIST.rglob("*.html") if path.read_text().startswith("<!doctype")]
    assert {"index.html", "console.html", "theory.html"} <= {path.name for path in pages}
    for path in pages:
        # Only the console makes its worker from a blob, so that the page's policy binds it too.
        workers = "blob:" if path.name == "console.html" else "'self'"
        policy = http_headers.POLICY.replace("worker-src 'self' blob:", f"worker-src {workers}")
        assert f'http-equiv="Content-Security-Policy" content="{policy}"' in path.read_text(), path


@built
def test_header_files_of_common_hosts_are_in_the_site() -> None:
    for name in ("_headers", ".htaccess", "nginx-headers.conf", "Caddyfile"):
        text = (DIST / name).read_text()
        assert all(value in text for value in http_headers.HEADERS.values()), name
    vercel = json.loads((DIST / "vercel.json").read_text())["headers"][0]["headers"]
    assert {one["key"]: one["value"] for one in vercel} == http_headers.HEADERS
    azure = json.loads((DIST / "staticwebapp.config.json").read_text())
    assert azure["globalHeaders"] == http_headers.HEADERS
    assert (DIST / ".nojekyll").is_file()


def test_header_files_allow_other_sites_to_fetch_the_wheel() -> None:
    files = {name: text.decode() for name, text in http_headers.host_files().items()}
    line = r'Access-Control-Allow-Origin:? "?\*"?\n'
    assert re.search(r"\n/wheel/\*\n  " + line, files["_headers"])
    assert re.search(r'<FilesMatch "\\\.whl\$">\n +Header always set ' + line, files[".htaccess"])
    assert re.search(r"\nheader /wheel/\* " + line, files["Caddyfile"])
    nginx = files["nginx-headers.conf"]
    assert re.search(r'if \(\$uri ~ "\\\.whl\$"\) \{\n  set \$cluewise_wheel "\*";\n\}', nginx)
    assert "\nadd_header Access-Control-Allow-Origin $cluewise_wheel always;\n" in nginx
    vercel = json.loads(files["vercel.json"])["headers"][1]
    pairs = [{"key": "Access-Control-Allow-Origin", "value": "*"}]
    assert vercel == {"source": "/wheel/(.*)", "headers": pairs}
    (azure,) = json.loads(files["staticwebapp.config.json"])["routes"]
    assert azure == {"route": "/wheel/*", "headers": {"Access-Control-Allow-Origin": "*"}}


@pytest.mark.parametrize("under", ["/", "/play/"])
def test_server_allows_other_sites_to_fetch_the_wheel_only(tmp_path: Path, under: str) -> None:
    (tmp_path / "wheel").mkdir()
    for name in ("wheel/a-1-py3-none-any.whl", "kernel.wasm"):
        (tmp_path / name).write_bytes(b"some bytes")
    with Server(tmp_path, under=under) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        open_to = {}
        for name in ("wheel/a-1-py3-none-any.whl", "kernel.wasm"):
            with urllib.request.urlopen(server.address + name, timeout=20) as answer:
                open_to[name] = answer.headers.get("Access-Control-Allow-Origin")
        server.shutdown()
    assert open_to == {"wheel/a-1-py3-none-any.whl": "*", "kernel.wasm": None}


FORBIDDEN = {
    r"[\s\"']style=[\"']|styleMap": "bind .style=, or use a class",
    r"\son[a-z]+=[\"']": "bind @event=",
    r"(?:src|href|url\(|from|import\()\s*=?\s*[\"'](https?:)?/": "an address must be relative",
}


def test_templates_contain_nothing_that_the_policy_forbids() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {why}"
        for path in WEB
        for pattern, why in FORBIDDEN.items()
        if re.search(pattern, path.read_text())
    ]
    assert found == []


def test_page_with_an_address_has_the_full_address_of_its_picture() -> None:
    files = site_files.web_files(ROOT / "web")
    place = site_files.address("https://example.org/cluewise")
    page = site_files.with_address(files, place)["index.html"].decode()
    assert f'og:image" content="{place}icons/cluewise-512.png"' in page
    assert f'og:url" content="{place}"' in page
    assert site_files.with_address(files, None) == files


@pytest.mark.parametrize("text", ["", "example.org", "file:///site", "https://a b/", 'https://a/"'])
def test_invalid_addresses_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        site_files.address(text)
