"""The prompt behind the page's console: input, values, mistakes."""

import ast
import asyncio

import pytest

from asking import vectors
from cluewise.browser.console import LONGEST, ConsoleError, InteractiveConsole, help_text

CASES = vectors("console")


def run(prompt: InteractiveConsole, source: str) -> str | None:
    return asyncio.run(prompt.run(source))


@pytest.mark.parametrize(
    ("source", "more"), CASES["enter runs what is complete and goes on with what is not"]
)
def test_enter_runs_what_is_complete_and_goes_on_with_what_is_not(source: str, more: bool) -> None:
    assert InteractiveConsole().wants_more(source) is more


def test_the_last_expression_is_the_value() -> None:
    prompt = InteractiveConsole({"six": 6})
    assert run(prompt, "seven = 7\nsix * seven") == "42"
    assert run(prompt, "_ + 1") == "43"
    assert run(prompt, "seven = 8") is None
    assert run(prompt, "None") is None
    assert run(prompt, "'text'") == "'text'"


def test_dictionaries_keep_their_order_over_several_lines() -> None:
    value = run(InteractiveConsole(), "{'zebra' * 9: 1, 'ape' * 15: 2}")
    assert value is not None
    assert value.index("zebra") < value.index("ape")
    assert "\n" in value


def test_a_large_value_reads_like_json() -> None:
    value = run(
        InteractiveConsole(),
        "{'list': list(range(40)), 'nested': {'name': 'x' * 60, 'more': 'y' * 20}}",
    )
    assert value is not None
    lines = value.split("\n")
    assert lines[0] == "{"
    assert lines[1] == "  'list': ["
    assert lines[2].startswith("    0, 1, 2, 3")
    assert lines[-2] == "  },"
    assert max(map(len, lines)) <= 88
    assert ast.literal_eval(value)["list"] == list(range(40))


def test_a_list_that_contains_itself_is_shown() -> None:
    assert "[...]" in (run(InteractiveConsole(), "x = ['y' * 90]\nx.append(x)\nx") or "")


def test_await_works_at_the_top_level() -> None:
    source = "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 5\nawait f()"
    assert run(InteractiveConsole(), source) == "5"
    assert run(InteractiveConsole(), "import asyncio\nx = await asyncio.sleep(0, 9)\nx") == "9"


def test_a_traceback_shows_the_input_and_nothing_of_the_prompt() -> None:
    prompt = InteractiveConsole()
    with pytest.raises(ConsoleError) as caught:
        run(prompt, "def half(n):\n    return n / 0\nhalf(3)")
    text = str(caught.value)
    assert text.startswith("Traceback")
    assert "ZeroDivisionError: division by zero" in text
    assert "return n / 0" in text
    assert "console.py" not in text


def test_a_later_input_can_fail_in_an_earlier_ones_function() -> None:
    prompt = InteractiveConsole()
    run(prompt, "def half(n):\n    return n / 0")
    with pytest.raises(ConsoleError, match="return n / 0"):
        run(prompt, "half(3)")


@pytest.mark.parametrize(("source", "said"), CASES["mistakes come back as text"])
def test_mistakes_come_back_as_text(source: str, said: str) -> None:
    prompt = InteractiveConsole()
    with pytest.raises(ConsoleError, match=said):
        run(prompt, source)
    assert run(prompt, "1") == "1"


def test_an_endless_value_is_cut() -> None:
    value = run(InteractiveConsole(), "'x' * 1_000_000")
    assert value is not None
    assert len(value) < LONGEST + 100
    assert value.endswith("characters more")


def test_the_program_itself_is_at_hand() -> None:
    import cluewise

    prompt = InteractiveConsole({"run": cluewise.run})
    asked = 'run({"desk": "code", "want": "remaining", "position": {}})["count"]'
    assert run(prompt, asked) == "1296"


def test_an_array_is_shown_as_a_table_with_its_shape_and_dtype() -> None:
    source = "import numpy as np; np.arange(6, dtype=np.uint8).reshape(2, 3)"
    assert asyncio.run(InteractiveConsole().run(source)) == "2×3 uint8\n[[0 1 2]\n [3 4 5]]"


def test_help_on_a_desk_names_its_functions_for_arrays() -> None:
    last = help_text("sudoku").splitlines()[-1]
    assert last == "With numpy arrays, from cluewise.arrays: canon, keys, group, solve, number."
