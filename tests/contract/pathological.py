"""Texts that make a pattern slow: long runs of one piece, bare, behind or before others."""

from collections.abc import Iterator

RUNS = [
    *("\n", " ", "\t", "\r\n", "\r", " \n", "\n ", "\u00a0", "\u2028"),
    *("0", "1", "9", "a", "A", "z", "½", "٣", "●", "○"),
    *(".", ",", ";", ":", "-", "_", "+", "=", "*", "#", "?", "!", "|", "&", "%", "~"),
    *("(", ")", "[", "]", "{", "}", "<", ">", "/", "\\", "'", '"'),
    *("0 ", "1,", "1, ", "1 2 ", "12,", "a ", "a.", "a-", "a=", "a/", "x=&", "-1 ", "1.5,", "1e9"),
    *("1\n", "12\n", "a\n", "0011 1A1B\n", "3121, 3445\n", "1 ?4 i5\n", "..#\n", ".*.\n", "[a]\n"),
    *("<a>", "<a ", "</", "<!--", "&lt;", "%20", "'\\", '"\\', "{ce:", '{"a":', "[["),
    *("http://", "http://a", "www.a.", "fpuz", "S9B", "#A\n", "row 1 ", "rows 1 ", "guess 1 "),
    *("ignored ", "1 a ", "1A", "i5 ", "?7 ", "+7 ", "|+7 ", "bwx", "— "),
]
STARTS = [
    *("", "<", "<!--", "'", '"', "(", "[", "{ce:", "1", "a", "-", "http://a.com/", "fpuz"),
    *("0011", "0011 1A1B", "3121, 3445", "1 ?4 i5 2x ? | +7", "..#\n.#.", "#/code/1/"),
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
]
SHORT = ["\n", " ", "0", "a", ".", "-", "(", ")", ",", "\\", "'", "=", "<", "a.", "1,"]


def texts(length: int) -> Iterator[str]:
    """Every text, of about that length: 380 of them."""
    for run in RUNS:
        yield run * (length // len(run))
    for start in STARTS:
        for run in SHORT:
            yield start + run * (length // len(run)) + "~"
    for end in STARTS[13:]:
        yield from (run * (length // len(run)) + end for run in SHORT)
