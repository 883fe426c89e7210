"""The kernel's memory: buffers never overlap, lie where the first gap is, and all comes back."""

from hypothesis import given
from hypothesis import strategies as st

from cluewise.errors import TooLarge
from cluewise.kernel.call import VERSION, Kernel

BASE, SIZE = 64, 64 + 16 * 40


class Paper:
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
    """The lowest place of so many free units of 16 bytes, by looking at every one."""
    used = {u for at, n in held.items() for u in range(at, at + n)}
    for place in range(40 - units + 1):
        if used.isdisjoint(range(place, place + units)):
            return place
    return None


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 200)), max_size=60))
def test_buffers_take_the_first_gap_and_give_it_back(steps: list[tuple[bool, int]]) -> None:
    kernel = Kernel(Paper())
    held: dict[int, int] = {}
    frames = {}
    for take, number in steps:
        if take or not held:
            units = -(-number // 16)
            place = first_place(held, units)
            frame = kernel.frame()
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
    assert kernel.free() == SIZE - BASE
