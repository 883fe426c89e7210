"""Every verb as a Python function: parameters, results and type information."""

import builtins
import inspect
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from mypy import api as mypy

import cluewise
import cluewise.code
import cluewise.scan
from cluewise import desks, functions, service
from cluewise.core.work import Progress
from cluewise.errors import BadLink, BadOption, BadPosition
from contract.test_every_desk import EVERY

TABLE = {"rules": {"pegs": 3, "colours": 4}, "clues": [{"guess": "012", "exact": 1, "partial": 1}]}


@EVERY
def test_every_verb_is_a_function_with_its_options_as_parameters(name: str) -> None:
    found = functions.functions_of(name)
    for verb in desks.load(name).verbs:
        function = found[functions.python_name(verb.name)]
        parameters = dict(inspect.signature(function).parameters)
        assert parameters.pop("position").default is None
        fields = msgspec.structs.fields(verb.options)
        assert list(parameters) == [field.name for field in fields]
        assert verb.summary in (function.__doc__ or "")


def test_function_returns_the_result_as_a_struct() -> None:
    from cluewise.code import advise

    advice = advise(TABLE, criterion="minmax", top=3)
    plain = service.run(
        {"desk": "code", "want": "advise", "position": TABLE,
         "options": {"criterion": "minmax", "top": 3}}
    )  # fmt: skip
    assert msgspec.to_builtins(advice) == plain
    assert advice.options[0].guess == plain["options"][0]["guess"]


def test_position_may_be_a_struct_plain_values_a_link_or_omitted() -> None:
    from cluewise.code import Position, Rules, remaining

    own = Position(rules=Rules(pegs=3, colours=4))
    link = cluewise.link(own)
    assert cluewise.link({"desk": "code", "rules": {"pegs": 3, "colours": 4}}) == link
    assert cluewise.unlink("https://example.org/play/" + link) == own
    counts = [
        remaining(one, top=0).count for one in (own, {"rules": {"pegs": 3, "colours": 4}}, link)
    ]
    assert counts == [64, 64, 64]
    assert remaining(top=0).count == 1296


def test_errors_have_their_path() -> None:
    from cluewise.code import advise

    with pytest.raises(BadOption, match=r"Invalid enum") as option:
        advise(TABLE, criterion="bits")  # type: ignore[arg-type]  # what a type checker refuses
    assert option.value.where == "$.options.criterion"
    with pytest.raises(BadPosition) as position:
        advise({"clues": [{"guess": "00", "exact": 0, "partial": 0}]})
    assert position.value.where.startswith("$.position.clues[0]")
    with pytest.raises(BadLink):
        advise("#/code/1/nonsense")
    with pytest.raises(BadPosition, match="is the rack desk's, not the code desk's"):
        advise(cluewise.link({"desk": "rack"}))
    with pytest.raises(BadPosition):
        cluewise.link({"desk": "code", "rules": {"pegs": 0}})
    with pytest.raises(AttributeError, match="no attribute 'advise'"):
        cluewise.advise  # noqa: B018


def test_editors_and_type_checkers_know_positions_options_and_results(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from cluewise.code import advise\n"
        "from cluewise.rack import cuts\n"
        "import cluewise\n"
        "reveal_type(advise({}).options[0].bits)\n"
        "reveal_type(cuts())\n"
        "reveal_type(cluewise.link({}))\n"
        'advise(criterion="bits")\n'
        "advise(criteria=1)\n"
    )
    root = Path(__file__).resolve().parents[2]
    out, _, _ = mypy.run([
        "--config-file", str(root / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache"),
        "--no-error-summary", str(file),
    ])  # fmt: skip
    lines = [line.partition("mine.py:")[2] for line in out.splitlines()]
    assert any(line.startswith("4:") and '"float"' in line for line in lines), out
    assert any(line.startswith("5:") and "results.Cuts" in line for line in lines), out
    assert any(line.startswith("6:") and '"str"' in line for line in lines), out
    assert any(line.startswith("7:") and "criterion" in line for line in lines), out
    assert any(line.startswith("8:") and "criteria" in line for line in lines), out


def test_notebook_shows_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    handle = SimpleNamespace(update=shown.append)

    def display(value: str, *, display_id: bool) -> SimpleNamespace:
        assert display_id
        shown.append(value)
        return handle

    tools = SimpleNamespace(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython.display", tools)
    notebook = lambda: SimpleNamespace(kernel=object())  # noqa: E731
    monkeypatch.setattr(builtins, "get_ipython", notebook, raising=False)
    monkeypatch.setattr(functions, "PATIENCE", -1.0)
    monkeypatch.setattr(functions, "PACE", -1.0)

    def job() -> Any:
        yield Progress(1, 4, "comparing <guesses>")
        yield Progress(2)
        return 7

    assert functions.run_with_progress(job()) == 7
    assert shown == [
        '<progress value="1" max="4"></progress> comparing &lt;guesses&gt;',
        "<progress></progress> ",
        "",
    ]


def test_marimo_notebook_shows_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []

    class Spinner:
        def __enter__(self) -> SimpleNamespace:
            return SimpleNamespace(
                update=lambda *, title, subtitle: shown.append((title, subtitle))
            )

        def __exit__(self, *problem: object) -> None:
            assert problem == (None, None, None)
            shown.append("gone")

    marimo = SimpleNamespace(
        running_in_notebook=lambda: True, status=SimpleNamespace(spinner=Spinner)
    )
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    monkeypatch.setattr(functions, "PACE", -1.0)

    def job() -> Any:
        yield Progress(1, 4, "comparing guesses")
        yield Progress(2.5)
        return 7

    # One that is answered at once leaves nothing behind.
    monkeypatch.setattr(functions, "PATIENCE", 1e9)
    assert functions.run_with_progress(job()) == 7
    assert shown == []
    monkeypatch.setattr(functions, "PATIENCE", -1.0)
    assert functions.run_with_progress(job()) == 7
    assert shown == [("comparing guesses", "1 of 4"), ("", ""), "gone"]
    # marimo imported by a script is no notebook.
    marimo.running_in_notebook = lambda: False
    assert functions.run_with_progress(job()) == 7
    assert len(shown) == 3


def test_result_is_shown_as_a_table_and_a_position_as_its_board() -> None:
    found = functions.html_of(cluewise.code.advise({"rules": {"pegs": 2, "colours": 3}}, top=2))
    assert found.count("<tr><td>01</td>") == 1
    assert "<th>guess</th>" in found
    assert "more</td>" not in found
    listed = functions.html_of(cluewise.scan.regions())
    assert "more</td>" in listed
    assert "<svg" in functions.html_of(cluewise.code.Position())
    assert "&lt;" in functions.html_of(cluewise.code.Clue(guess="<b>", exact=0, partial=0))
