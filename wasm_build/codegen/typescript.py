"""Writes msgspec types as TypeScript declarations.

`msgspec.inspect` resolves annotations, constraints and tags of a type. Structs become interfaces;
all other types are written in place. A kind of type that no struct uses yet raises TypeError.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec.inspect as mi

from cluewise.functions import structs_inside

_SIMPLE: dict[type[mi.Type], str] = {
    mi.AnyType: "unknown",
    mi.NoneType: "null",
    mi.BoolType: "boolean",
    mi.IntType: "number",
    mi.FloatType: "number",
    mi.StrType: "string",
}


class Namer:
    """Unique names of structs; of two with one name the second is prefixed by its module."""

    def __init__(self) -> None:
        self._names: dict[type, str] = {}
        self._optional: set[type] = set()
        self.order: list[type] = []

    def name(self, struct: type) -> str:
        """Return the struct's name; `order` lists the structs by their first mention."""
        if struct not in self._names:
            name = struct.__name__.lstrip("_")
            if name in self._names.values():
                name = struct.__module__.rpartition(".")[2].capitalize() + name
            self._names[struct] = name
            self.order.append(struct)
        return self._names[struct]

    def taken(self, name: str) -> bool:
        """Return whether a struct has this name."""
        return name in self._names.values()

    def mark_input(self, kind: Any) -> None:
        """Mark the structs of a type as input: their fields with defaults are optional."""
        self._optional.update(structs_inside(kind))

    def may_omit(self, struct: type) -> bool:
        """Return whether fields with defaults may be missing from this struct's JSON."""
        return struct in self._optional or bool(struct.__struct_config__.omit_defaults)  # type: ignore[attr-defined]  # every msgspec struct has it


def declarations(
    namer: Namer, inputs: Sequence[Any], outputs: Sequence[Any], aliases: Mapping[str, Any]
) -> str:
    """Return interfaces for every struct in inputs and outputs, then the aliases."""
    for one in inputs:
        namer.mark_input(one)
    for one in (*inputs, *outputs):
        text_of(mi.type_info(one), namer)
    # The list may grow during the iteration: an interface may mention further structs.
    texts = [_interface(struct, namer) for struct in namer.order]
    for name, kind in aliases.items():
        target = text_of(mi.type_info(kind), namer)
        if target != name and not namer.taken(name):
            texts.append(f"export type {name} = {target};\n")
    return "\n".join(texts)


def text_of(kind: mi.Type, namer: Namer) -> str:
    """Return the type as TypeScript: `number[]`, `"dual" | "solo"`, `Record<string, Clue>`."""
    if isinstance(kind, mi.Metadata):
        return text_of(kind.type, namer)
    if type(kind) in _SIMPLE:
        return _SIMPLE[type(kind)]
    if isinstance(kind, mi.StructType):
        return namer.name(kind.cls)
    if isinstance(kind, mi.ListType | mi.VarTupleType):
        item = text_of(kind.item_type, namer)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if isinstance(kind, mi.TupleType):
        return f"[{', '.join(text_of(t, namer) for t in kind.item_types)}]"
    if isinstance(kind, mi.DictType):
        return f"Record<string, {text_of(kind.value_type, namer)}>"
    if isinstance(kind, mi.LiteralType):
        return " | ".join(json.dumps(value) for value in kind.values)
    if isinstance(kind, mi.UnionType):
        return " | ".join(dict.fromkeys(text_of(t, namer) for t in kind.types))
    raise TypeError(f"no TypeScript for {kind}")


def _interface(struct: type, namer: Namer) -> str:
    kind = mi.type_info(struct)
    assert isinstance(kind, mi.StructType)
    lines = [*_doc(inspect.getdoc(struct), ""), f"export interface {namer.name(struct)} {{"]
    if kind.tag_field is not None:
        lines.append(f"  {kind.tag_field}: {json.dumps(kind.tag)};")
    for field in kind.fields:
        lines += _doc(described_by(field.type), "  ")
        mark = "?" if namer.may_omit(struct) and not field.required else ""
        lines.append(f"  {field.encode_name}{mark}: {text_of(field.type, namer)};")
    return "\n".join([*lines, "}\n"])


def _doc(text: str | None, indent: str) -> list[str]:
    first = (text or "").strip().partition("\n\n")[0].replace("\n", " ").replace("*/", "* /")
    return [f"{indent}/** {first} */"] if first else []


def described_by(kind: mi.Type) -> str:
    """Return the description in a field's annotation, empty if it has none."""
    schema = kind.extra_json_schema or {} if isinstance(kind, mi.Metadata) else {}
    return str(schema.get("description", ""))
