"""msgspec types as TypeScript declarations.

Types are described by `msgspec.inspect`, which resolves annotations, constraints and tags; here
each description becomes text. Structs become interfaces, everything else is written in place.
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
    mi.BytesType: "string",
    mi.ByteArrayType: "string",
    mi.DecimalType: "string",
    mi.RawType: "unknown",
}
_LISTS = (mi.ListType, mi.SetType, mi.FrozenSetType, mi.VarTupleType, mi.CollectionType)


class Namer:
    """One name for each struct: its own, or, if two share it, the later with its module before."""

    def __init__(self) -> None:
        self._names: dict[type, str] = {}
        self._optional: set[type] = set()
        self.order: list[type] = []

    def name(self, struct: type) -> str:
        """The struct's name, which is given at its first mention."""
        if struct not in self._names:
            name = struct.__name__.lstrip("_")
            if name in self._names.values():
                name = struct.__module__.rpartition(".")[2].capitalize() + name
            self._names[struct] = name
            self.order.append(struct)
        return self._names[struct]

    def taken(self, name: str) -> bool:
        """Whether a struct has this name."""
        return name in self._names.values()

    def mark_input(self, kind: Any) -> None:
        """Note the structs inside as input: their fields with defaults may be left out."""
        self._optional.update(structs_inside(kind))

    def may_omit(self, struct: type) -> bool:
        """Whether fields with defaults may be missing from this struct's JSON."""
        return struct in self._optional or bool(struct.__struct_config__.omit_defaults)  # type: ignore[attr-defined]  # every msgspec struct has it


def declarations(
    namer: Namer, inputs: Sequence[Any], outputs: Sequence[Any], aliases: Mapping[str, Any]
) -> str:
    """Interfaces for every struct met in inputs and outputs, then the aliases."""
    for one in inputs:
        namer.mark_input(one)
    for one in (*inputs, *outputs):
        text_of(mi.type_info(one), namer)
    # The list grows while it is read: writing one may name more of them.
    texts = [_interface(struct, namer) for struct in namer.order]
    for name, kind in aliases.items():
        target = text_of(mi.type_info(kind), namer)
        if target != name and not namer.taken(name):
            texts.append(f"export type {name} = {target};\n")
    return "\n".join(texts)


def text_of(kind: mi.Type, namer: Namer) -> str:
    """The type as TypeScript: `number[]`, `"dual" | "solo"`, `Record<string, Clue>`."""
    if isinstance(kind, mi.Metadata):
        return text_of(kind.type, namer)
    if type(kind) in _SIMPLE:
        return _SIMPLE[type(kind)]
    if isinstance(kind, mi.StructType | mi.DataclassType | mi.TypedDictType):
        return namer.name(kind.cls)
    if isinstance(kind, _LISTS):
        item = text_of(kind.item_type, namer)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if isinstance(kind, mi.TupleType):
        return f"[{', '.join(text_of(t, namer) for t in kind.item_types)}]"
    if isinstance(kind, mi.NamedTupleType):
        return f"[{', '.join(f'{f.name}: {text_of(f.type, namer)}' for f in kind.fields)}]"
    if isinstance(kind, mi.DictType):
        return f"Record<string, {text_of(kind.value_type, namer)}>"
    if isinstance(kind, mi.LiteralType):
        return " | ".join(json.dumps(value) for value in kind.values)
    if isinstance(kind, mi.EnumType):
        return " | ".join(json.dumps(value.value) for value in kind.cls)
    if isinstance(kind, mi.UnionType):
        return " | ".join(dict.fromkeys(text_of(t, namer) for t in kind.types))
    raise TypeError(f"no TypeScript for {kind}")


def _interface(struct: type, namer: Namer) -> str:
    kind = mi.type_info(struct)
    assert isinstance(kind, mi.StructType | mi.DataclassType | mi.TypedDictType)
    lines = [*_doc(inspect.getdoc(struct), ""), f"export interface {namer.name(struct)} {{"]
    if isinstance(kind, mi.StructType) and kind.tag_field is not None:
        lines.append(f"  {kind.tag_field}: {json.dumps(kind.tag)};")
    omit = isinstance(kind, mi.StructType) and namer.may_omit(struct)
    for field in kind.fields:
        lines += _doc(_description(field.type), "  ")
        mark = "?" if omit and not field.required else ""
        lines.append(f"  {field.encode_name}{mark}: {text_of(field.type, namer)};")
    return "\n".join([*lines, "}\n"])


def _doc(text: str | None, indent: str) -> list[str]:
    first = (text or "").strip().partition("\n\n")[0].replace("\n", " ").replace("*/", "* /")
    return [f"{indent}/** {first} */"] if first else []


def _description(kind: mi.Type) -> str | None:
    if isinstance(kind, mi.Metadata):
        schema = kind.extra_json_schema or {}
        described = schema.get("description")
        return described if isinstance(described, str) else None
    return None
