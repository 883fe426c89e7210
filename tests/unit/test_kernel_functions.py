"""The tables of the kernel's functions and structs: what C has, and a guard at every call.

Buffers in the kernel's memory never overlap, lie where the first gap is, and all comes back.
"""

import ast
import struct
import subprocess
from importlib import resources
from pathlib import Path

import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

from cluewise.desks.code.position import MOST_COLOURS
from cluewise.errors import BadInput, HostFailure, TooLarge
from cluewise.kernel import kernel, native
from cluewise.kernel.call import VERSION, Kernel, in_order
from cluewise.kernel.functions import TAKES
from cluewise.kernel.layouts import CODE, MINES, RACK, SCAN, SUDOKU
from cluewise.kernel.native import WasmtimeHost
from wasm_build.codegen import kernel as build_kernel
from wasm_build.codegen import native_kernel

LETTERS = {"i32": "i", "f64": "d"}


def exported() -> dict[str, str]:
    """Return the function types of the compiled kernel, in which a pointer is an i32."""
    engine = wasmtime.Engine()
    code = resources.files("cluewise.kernel").joinpath("kernel.wasm").read_bytes()
    exports = wasmtime.Module(engine, code).exports
    functions = {one.name: one.type for one in exports if isinstance(one.type, wasmtime.FuncType)}
    return {
        name: "".join(LETTERS[str(kind)] for kind in function.params)
        for name, function in functions.items()
    }


def test_function_table_equals_the_exports_of_the_kernel() -> None:
    assert {name: letters.replace("p", "i") for name, letters in TAKES.items()} == exported()


def test_committed_tables_are_up_to_date() -> None:
    for path, text in build_kernel.tables().items():
        assert path.read_text() == text, f"{path.name}: run python -m wasm_build.codegen.kernel"


@pytest.mark.skipif(native_kernel.compiler() is None, reason="this machine has no C compiler")
def test_c_files_compile_natively() -> None:
    files = sorted(str(path) for path in build_kernel.SOURCES.rglob("*.c"))
    compiled = subprocess.run(
        [*native_kernel.base_command(str(native_kernel.compiler())), "-fsyntax-only", *files],
        cwd=build_kernel.SOURCES, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stderr[:2000]


@pytest.mark.parametrize("name", ["code_present", "kernel_version", "sudoku_minlex"])
def test_call_with_a_wrong_number_of_arguments_is_refused(name: str) -> None:
    arguments = [0.0] * (len(TAKES[name]) + 1)
    with pytest.raises(TypeError, match=f"{name} takes"):
        kernel().call(name, *arguments)
    with pytest.raises(TypeError, match="no_such_function takes None"):
        kernel().call("no_such_function", 1)


MANY = 9  # arguments from which a call names them
POSITIONAL = {"mines_count_begin"}  # names take 3 µs of the 60 of a small count


def test_arguments_can_be_named_as_in_the_header() -> None:
    order = ("rules", "space", "parent", "excluded", "free", "filter", "from_", "to", "out")
    named = {name: float(i) for i, name in enumerate(order)}
    assert in_order("code_kept", (), dict(reversed(named.items()))) == tuple(range(9))
    rest = {name: named[name] for name in order[2:]}
    assert in_order("code_kept", (0, 1), rest) == tuple(range(9))
    for wrong in ({**named, "others": 1}, rest, {**rest, "space": 1, "beside": 2}):
        with pytest.raises(TypeError, match="code_kept takes"):
            in_order("code_kept", (), wrong)
    with pytest.raises(TypeError, match="no_such_function"):
        kernel().call("no_such_function", n=1)


def test_calls_with_many_arguments_name_them() -> None:
    found, seen = [], 0
    for path in sorted((Path(__file__).parents[2] / "pysrc").rglob("*.py")):
        for call in (n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)):
            name = call.args[0] if call.args else None
            if not isinstance(name, ast.Constant) or len(TAKES.get(str(name.value), "")) < MANY:
                continue
            if isinstance(call.func, ast.Attribute) and call.func.attr == "ask":
                continue
            if name.value in POSITIONAL:
                continue
            seen += 1
            bare = [one for one in call.args[1:] if not isinstance(one, ast.Starred)]
            if len(bare) > 2 or not call.keywords:
                found.append(f"{path.name}:{call.lineno}: {name.value!r}")
    assert found == []
    assert seen > 20


def test_too_short_buffer_is_refused() -> None:
    with kernel().frame() as frame:
        words = frame.reserve(64, zero=True)
        assert frame.call("code_present", words, 8) == 0
        with pytest.raises(BadInput, match="code_present was given a buffer"):
            frame.call("code_present", words, 9)
        assert frame.call("code_present", words + 16, 6) == 0
        with pytest.raises(BadInput, match="code_present was given a buffer"):
            frame.call("code_present", 16, 1)  # in the memory, but not allocated
    with pytest.raises(BadInput, match="code_present was given a buffer"):
        kernel().call("code_present", words, 8)  # given back


def test_call_with_an_incomputable_buffer_size_is_refused() -> None:
    rules, most = 612, 2**31 - 64  # 4 pegs of 6 colours; planes of so many codes fill no memory
    with kernel().frame() as frame:
        words = frame.reserve(64, zero=True)
        with pytest.raises(TooLarge, match="code_plane_words ran out of memory"):
            frame.call("code_plane_words", rules, most)
        with pytest.raises(TooLarge, match="code_plane_words ran out of memory"):
            frame.call("code_split", rules, words, most, words, 0, words, words)
        with pytest.raises(BadInput, match="outside its limits"):
            frame.call("code_split", rules, words, -1, words, 0, words, words)


def test_trap_is_a_named_failure_and_the_kernel_continues() -> None:
    with pytest.raises(HostFailure, match="stopped in code_present"):
        kernel().host.call("code_present", (64, 2**31 - 1))  # far beyond the memory
    assert kernel().call("kernel_version") == 1


@pytest.fixture(scope="module")
def hosts() -> tuple[WasmtimeHost, WasmtimeHost]:
    return WasmtimeHost(), WasmtimeHost(direct=False)


@pytest.mark.parametrize("name", TAKES)
def test_direct_calls_equal_calls_through_wasmtime_objects(
    hosts: tuple[WasmtimeHost, WasmtimeHost], name: str
) -> None:
    direct, packaged = hosts
    assert direct.direct is not None
    assert packaged.direct is None
    base = direct.call("arena_base", ())
    for number in (0, 1, 8, -1, 2**31, 2**32 + 3):  # the last two: their low 32 bits
        values = {"p": base, "i": number, "d": 0.5}
        arguments = tuple(values[letter] for letter in TAKES[name])
        found = [_call_result(host, name, arguments) for host in hosts]
        assert found[0] == found[1]


def _call_result(
    host: WasmtimeHost, name: str, arguments: tuple[float, ...]
) -> tuple[int | str, bytes]:
    """Return the status of a call and the first bytes of its buffers."""
    at, room = host.call("arena_base", ()), memoryview(bytearray(1 << 16))
    host.fill(at, len(room))
    try:
        outcome: int | str = host.call(name, arguments)
    except HostFailure as trap:
        outcome = str(trap).splitlines()[0]
    host.read_into(at, room)
    return outcome, room.tobytes()


def test_direct_call_checks_number_and_types_of_arguments(
    hosts: tuple[WasmtimeHost, WasmtimeHost],
) -> None:
    for arguments in ((64.0, 1), (64,), (64, 1, 1)):
        with pytest.raises(TypeError, match="code_present takes"):
            hosts[0].call("code_present", arguments)


def test_wasmtime_without_direct_calls_is_used_through_its_objects(
    hosts: tuple[WasmtimeHost, WasmtimeHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, packaged = hosts
    assert native._direct(packaged._store, packaged._functions) is not None
    monkeypatch.delattr("wasmtime._ffi.wasmtime_func_call_unchecked")
    assert native._direct(packaged._store, packaged._functions) is None
    assert packaged.call("kernel_version", ()) == 1


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "kept"))
    return tmp_path / "kept"


def _compiled(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and file.stat().st_size > 100_000]


def test_compiled_kernel_is_cached_for_the_next_process(kept: Path) -> None:
    assert WasmtimeHost().call("kernel_version", ()) == 1
    (file,) = _compiled(kept)
    before = file.stat().st_ino, file.read_bytes()
    assert WasmtimeHost().call("kernel_version", ()) == 1
    assert _compiled(kept) == [file]
    assert (file.stat().st_ino, file.read_bytes()) == before


@pytest.mark.sampled
@pytest.mark.parametrize("share", [0, 0.5])
def test_truncated_cached_kernel_is_compiled_again(kept: Path, share: float) -> None:
    WasmtimeHost()
    (file,) = _compiled(kept)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    assert WasmtimeHost().call("kernel_version", ()) == 1


def test_kernel_starts_without_a_cache_folder(kept: Path) -> None:
    kept.touch()
    with pytest.raises(wasmtime.WasmtimeError):
        wasmtime.Config().cache = True
    assert WasmtimeHost().call("kernel_version", ()) == 1


BYTES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "d": 8, "Q": 8}


def places(form: struct.Struct) -> list[int]:
    """Where each value of a format stands: `places(Struct("<di")) == [0, 8]`."""
    found, at, count = [], 0, ""
    for letter in form.format.removeprefix("<"):
        if letter.isdigit():
            count += letter
            continue
        for _ in range(int(count or 1)):
            if letter != "x":
                found.append(at)
            at += BYTES.get(letter, 1)
        count = ""
    return found


FORMATS = [
    (desk, name.removesuffix("_FORMAT"))
    for desk in (CODE, MINES, RACK, SCAN, SUDOKU)
    for name in vars(desk)
    if name.endswith("_FORMAT")
]


@pytest.mark.parametrize(("desk", "name"), FORMATS)
def test_struct_formats_have_the_offsets_of_the_header(desk: type, name: str) -> None:
    form, fields = struct.Struct(vars(desk)[f"{name}_FORMAT"]), vars(desk)[f"{name}_AT"]
    begins = {at for one, at in fields.items() if one not in ("unused", "spare")}
    assert form.size == vars(desk)[name]
    assert begins <= set(places(form))


def test_the_known_structs_have_a_format() -> None:
    assert {name for _, name in FORMATS} >= {"Node", "ScanAction", "ScanCell", "ScanSeed"}
    assert struct.unpack(CODE.Node_FORMAT, bytes(range(24)))[3:] == (0x1110, 0x12, 0x13)


def test_positions_have_at_most_the_colours_of_the_kernel() -> None:
    assert MOST_COLOURS == CODE.MAX_COLOURS


BASE, SIZE = 64, 64 + 16 * 40


class SizeOnlyHost:
    """A host whose memory is only a number."""

    size = SIZE

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        return {"kernel_version": VERSION, "arena_base": BASE}[name]

    def write(self, at: int, data: memoryview) -> None:
        raise NotImplementedError

    def read_into(self, at: int, out: memoryview) -> None:
        raise NotImplementedError

    def fill(self, at: int, length: int) -> None:
        assert length == 16

    def word(self, at: int) -> int:
        raise NotImplementedError


def first_place(held: dict[int, int], units: int) -> int | None:
    """Return the lowest place with that many free units of 16 bytes, by linear search."""
    used = {u for at, n in held.items() for u in range(at, at + n)}
    for place in range(40 - units + 1):
        if used.isdisjoint(range(place, place + units)):
            return place
    return None


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 200)), max_size=60))
def test_buffers_use_the_first_gap_and_are_freed(steps: list[tuple[bool, int]]) -> None:
    owner = Kernel(SizeOnlyHost())
    held: dict[int, int] = {}
    frames = {}
    for take, number in steps:
        if take or not held:
            units = -(-number // 16)
            place = first_place(held, units)
            frame = owner.frame()
            try:
                at = frame.reserve(number)
            except TooLarge:
                assert place is None
                continue
            assert place is not None
            assert at == BASE + 16 * place
            held[place] = units
            frames[place] = frame
        else:
            place = sorted(held)[number % len(held)]
            frames.pop(place).__exit__(None, None, None)
            del held[place]
    for frame in frames.values():
        frame.__exit__(None, None, None)
    assert owner.free() == SIZE - BASE
