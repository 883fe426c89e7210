"""The contract page names everything there is, and samples are what the program answers.

The README's sessions and the samples in docstrings are run as they stand.

A sample is `<details class="sample">` with `<pre class="ask">` (a request) and
`<pre class="answer">` (its result). In an answer, the field `"…": "…"` stands for fields not
shown, and `"…"` at the end of a list for items not shown; all else must be equal.
"""

import doctest
import html
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from cluewise import desks, service
from cluewise.core.desk import describe_options
from wasm_build.codegen.typescript import described_by
from wasm_build.docs import pages
from wasm_build.docs.pages import MORE

SAMPLE = re.compile(
    r'<details class="sample".*?<pre class="ask">(?P<ask>.*?)</pre>\s*'
    r'<pre class="answer">(?P<answer>.*?)</pre>\s*</details>',
    re.DOTALL,
)


@cache
def samples() -> list[tuple[str, Mapping[str, object], object]]:
    """Return every sample of the pages: its page, its request and its answer."""
    found = []
    for page, text in pages.pages().items():
        for match in SAMPLE.finditer(text):
            ask, answer = (json.loads(html.unescape(match[part])) for part in ("ask", "answer"))
            found.append((page, ask, answer))
    return found


def matches_sample(shown: object, real: object) -> bool:
    """Return whether the sample equals the answer, except where omissions are marked."""
    if isinstance(shown, Mapping) and isinstance(real, Mapping):
        rest = {k: v for k, v in shown.items() if k != MORE}
        complete = MORE in shown or set(rest) == set(real)
        return complete and all(k in real and matches_sample(v, real[k]) for k, v in rest.items())
    if isinstance(shown, list) and isinstance(real, list):
        open_end = bool(shown) and shown[-1] == MORE
        items = shown[:-1] if open_end else shown
        fits = len(items) < len(real) if open_end else len(items) == len(real)
        return fits and all(matches_sample(a, b) for a, b in zip(items, real, strict=False))
    return type(shown) is type(real) and shown == real


def test_all_samples_are_found() -> None:
    marked = sum(text.count('class="sample"') for text in pages.pages().values())
    assert len(samples()) == marked >= 3
    assert {ask["desk"] for _, ask, _ in samples()} == set(desks.available())


@pytest.mark.parametrize("name", desks.available())
def test_samples_are_the_answers_of_the_package(name: str) -> None:
    for page, ask, answer in samples():
        if ask["desk"] == name:
            real = json.loads(json.dumps(service.run(ask)))  # as a reader of JSON sees it
            assert matches_sample(answer, real), (page, ask, json.dumps(real, ensure_ascii=False))


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "c": 3, "…": "…"}, {"a": 1, "b": 2}, False),
        ([1, "…"], [1, 2], True),
        ([1, "…"], [1], False),
        ([1], [1, 2], False),
        ([1, 2], [1], False),
        (1, 1.0, False),
        (True, 1, False),
    ],
)
def test_only_marked_parts_may_be_omitted(shown: object, real: object, same: bool) -> None:
    assert matches_sample(shown, real) is same


@pytest.mark.parametrize("name", desks.available())
def test_contract_lists_every_verb_option_and_field(name: str) -> None:
    text = pages.pages()[f"contract-{name}.html"]
    for verb in desks.load(name).verbs:
        begin = text.index(f'<h2 id="{name}-{verb.name}">')
        section = text[begin : text.index("<h", begin + 4)]
        names = [option.name for option in describe_options(verb.options)]
        for struct in pages.result_structs(verb.result):
            names += pages.struct_type(struct).cls.__struct_encode_fields__
        missing = [n for n in names if f"<code>{n}</code>" not in section]
        assert not missing, f"{name} {verb.name}: {missing}"


def test_docstring_after_a_field_is_its_description() -> None:
    from cluewise.core.results import BadLine

    assert pages.sentences(BadLine)["line"].startswith("Its number")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([{}, {}, {}, {}], [{}, {}, {}, MORE]),
        (list(range(13)), [*range(12), MORE]),
        (list(range(12)), list(range(12))),
        ({"a": [[1], [2], [3], [4]]}, {"a": [[1], [2], [3], MORE]}),
    ],
)
def test_long_samples_are_shortened_and_marked(value: object, shown: object) -> None:
    assert pages.shortened(value) == shown


@pytest.mark.parametrize("name", desks.available())
def test_every_field_has_a_description_and_every_verb_a_sample(name: str) -> None:
    desk = desks.load(name)
    structs: list[type] = [desk.position]
    structs += [struct for verb in desk.verbs for struct in pages.result_structs(verb.result)]
    silent = [
        f"{struct.__name__}.{field.name}"
        for struct in structs
        for field in pages.struct_type(struct).fields
        if not (pages.sentences(struct).get(field.name) or described_by(field.type))
    ]
    assert silent == []
    assert {one["want"] for one in pages.samples(name)} >= {verb.name for verb in desk.verbs}


README = Path(__file__).resolve().parents[2] / "README.md"


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(), flags=re.DOTALL)


def test_python_session_of_the_readme() -> None:
    (text,) = code_blocks("pycon")
    test = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
    assert len(test.examples) >= 8
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_terminal_session_of_the_readme(tmp_path: Path) -> None:
    (text,) = code_blocks("console")
    steps = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert len(steps) >= 5
    shell = f"PATH={Path(sys.executable).parent}:$PATH; "
    for step in steps:
        command, _, shown = step.partition("\n")
        ran = subprocess.run(
            ["bash", "-c", shell + command],
            cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (ran.stdout + ran.stderr).strip() == shown.strip(), command


def test_pictures_of_the_readme_exist() -> None:
    names = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README.read_text())
    assert names
    for name in names:
        assert (README.parent / name).is_file(), name


PACKAGE = Path(__file__).resolve().parents[2] / "pysrc" / "cluewise"
MODULES = sorted(
    "cluewise." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if ">>>" in path.read_text() and path.name not in ("browser.py", "worker.py")
)


@pytest.mark.parametrize("name", MODULES)
def test_doctests_of_a_module(name: str) -> None:
    module = importlib.import_module(name.removesuffix(".__init__"))
    extras = {**vars(module), **vars(importlib.import_module("array"))}
    result = doctest.testmod(module, extraglobs=extras)
    assert result.attempted > 0
    assert result.failed == 0
