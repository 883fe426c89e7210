"""A checker of pseudo-Boolean refutations, written from the description of the format.

OPB: lines `+2 x1 -1 ~x2 >= 3 ;`, comments begin with *. VeriPB 3.0: a header without `;`, then
statements that each end with `;`: `f N`, steps, `output NONE`, `conclusion UNSAT : ID` and
`end pseudo-Boolean proof`, in this order. Steps: `pol` in reverse Polish notation (constraint
numbers, literals as axioms, `+`, `*` by a whole number), `rup` followed by a constraint. A
constraint is kept normal: positive coefficients on literals, at least a bound.
"""

import re

Constraint = tuple[dict[str, int], int]


def negated(literal: str) -> str:
    return literal[1:] if literal.startswith("~") else f"~{literal}"


def normal(terms: list[tuple[int, str]], least: int) -> Constraint:
    """The constraint with positive coefficients, each variable once."""
    by_variable: dict[str, int] = {}
    for n, literal in terms:
        if literal.startswith("~"):
            n, least, literal = -n, least - n, literal[1:]
        by_variable[literal] = by_variable.get(literal, 0) + n
    found = {}
    for variable, n in by_variable.items():
        if n > 0:
            found[variable] = n
        elif n < 0:
            found[f"~{variable}"] = -n
            least -= n
    return found, least


def parsed(text: str) -> Constraint:
    left, right = text.split(">=")
    words = left.split()
    terms = [(int(n), literal) for n, literal in zip(words[::2], words[1::2], strict=True)]
    return normal(terms, int(right.strip()))


def added(a: Constraint, b: Constraint, times: int = 1) -> Constraint:
    terms = [(n, x) for x, n in a[0].items()] + [(n * times, x) for x, n in b[0].items()]
    return normal(terms, a[1] + b[1] * times)


def constraints(opb: str) -> list[Constraint]:
    """All constraints of a formula; the head's numbers must be right."""
    lines = opb.strip().splitlines()
    head = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0])
    assert head, "no head"
    found = [parsed(line.removesuffix(";")) for line in lines[1:] if not line.startswith("*")]
    assert all(line.endswith(";") for line in lines[1:])
    assert len(found) == int(head[2]), "number of constraints"
    names = {int(x.lstrip("~x")) for terms, _ in found for x in terms}
    assert max(names) <= int(head[1]), "number of variables"
    return found


def contradictory(constraint: Constraint) -> bool:
    """Whether even all its literals are too few."""
    return sum(constraint[0].values()) < constraint[1]


def polish(words: list[str], held: list[Constraint]) -> Constraint:
    stack: list[Constraint] = []
    factor: list[int] = []
    for i, word in enumerate(words):
        if word == "+":
            b = stack.pop()
            stack.append(added(stack.pop(), b))
        elif word == "*":
            a, times = stack.pop(), factor.pop()
            assert times >= 0
            stack.append(normal([(n * times, x) for x, n in a[0].items()], a[1] * times))
        elif word == "s":
            literals, least = stack.pop()
            stack.append(({x: min(n, least) for x, n in literals.items()}, least))
        elif re.fullmatch(r"~?x\d+", word):
            stack.append(({word: 1}, 0))
        elif i + 1 < len(words) and words[i + 1] == "*":
            factor.append(int(word))
        else:
            stack.append(held[int(word) - 1])
    assert len(stack) == 1
    assert not factor
    return stack[0]


def follows(held: list[Constraint], claim: Constraint) -> bool:
    """Reverse unit propagation: with the claim denied, constraint after constraint, a clash."""
    terms, least = claim
    denied = normal([(-n, x) for x, n in terms.items()], 1 - least)
    every = [*held, denied]
    true: set[str] = set()
    while True:
        before = len(true)
        for literals, bound in every:
            slack = sum(n for x, n in literals.items() if negated(x) not in true) - bound
            if slack < 0:
                return True
            true |= {x for x, n in literals.items() if n > slack and negated(x) not in true}
        if len(true) == before:
            return False


HEADER = "pseudo-Boolean proof version 3.0"


def statements(proof: str) -> list[str]:
    """The statements after the header, without their `;`; [] where the file breaks the grammar."""
    header, _, rest = proof.partition("\n")
    *found, after = rest.split(";")
    return [] if header != HEADER or after.strip() else [" ".join(one.split()) for one in found]


def refuted(opb: str, proof: str) -> bool:
    """Whether the file keeps to the grammar and shows that the formula has no solution."""
    held = constraints(opb)
    first, *steps = statements(proof) or [""]
    *steps, output, conclusion, end = ["", "", "", *steps]
    named = re.fullmatch(r"conclusion UNSAT : (\d+)", conclusion)
    footer = (first, output, end)
    if footer != (f"f {len(held)}", "output NONE", "end pseudo-Boolean proof") or not named:
        return False
    for step in steps[3:]:
        rule, _, rest = step.partition(" ")
        if rule == "pol":
            held.append(polish(rest.split(), held))
        elif rule == "rup" and follows(held, parsed(rest)):
            held.append(parsed(rest))
        else:
            return False
    return int(named[1]) <= len(held) and contradictory(held[int(named[1]) - 1])
