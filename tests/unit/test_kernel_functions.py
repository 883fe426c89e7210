"""The table of the kernel's functions: what C exports, and a guard at every call."""

from __future__ import annotations

from importlib import resources

import pytest
import wasmtime

import build_kernel
from cluewise.errors import BadInput, HostFailure
from cluewise.kernel import kernel
from cluewise.kernel.functions import TAKES

LETTERS = {"i32": "i", "f64": "d"}


def exported() -> dict[str, str]:
    """What the compiled kernel itself says of its functions; a pointer is an i32 there."""
    engine = wasmtime.Engine()
    code = resources.files("cluewise.kernel").joinpath("kernel.wasm").read_bytes()
    exports = wasmtime.Module(engine, code).exports
    functions = {one.name: one.type for one in exports if isinstance(one.type, wasmtime.FuncType)}
    return {
        name: "".join(LETTERS[str(kind)] for kind in function.params)
        for name, function in functions.items()
    }


def test_the_table_says_of_every_function_what_the_kernel_itself_says() -> None:
    assert {name: letters.replace("p", "i") for name, letters in TAKES.items()} == exported()


def test_the_committed_tables_are_those_of_the_c_files() -> None:
    for path, text in build_kernel.tables().items():
        assert path.read_text() == text, f"{path.name}: run python wasm_build/build_kernel.py"


@pytest.mark.parametrize("name", ["code_present", "kernel_version", "sudoku_minlex"])
def test_a_call_with_an_argument_too_many_is_refused_before_the_kernel_sees_it(name: str) -> None:
    arguments = [0.0] * (len(TAKES[name]) + 1)
    with pytest.raises(TypeError, match=f"{name} takes"):
        kernel().call(name, *arguments)
    with pytest.raises(TypeError, match="no_such_function takes None"):
        kernel().call("no_such_function", 1)


def test_a_buffer_shorter_than_the_header_says_is_refused_before_the_kernel_sees_it() -> None:
    with kernel().frame() as frame:
        words = frame.reserve(64, zero=True)
        assert frame.call("code_present", words, 8) == 0
        with pytest.raises(BadInput, match="code_present was given a buffer"):
            frame.call("code_present", words, 9)
        assert frame.call("code_present", words + 16, 6) == 0
        with pytest.raises(BadInput, match="code_present was given a buffer"):
            frame.call("code_present", 16, 1)  # in the memory, and nobody's
    with pytest.raises(BadInput, match="code_present was given a buffer"):
        kernel().call("code_present", words, 8)  # given back


def test_a_trap_is_a_named_failure_and_the_kernel_goes_on() -> None:
    with pytest.raises(HostFailure, match="stopped in code_present"):
        kernel().host.call("code_present", (64, 2**31 - 1))  # far beyond the memory
    assert kernel().call("kernel_version") == 1
