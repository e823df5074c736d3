"""What is changed of the namespaces that a target has.

A namespace that is missing is made with the comment and the properties that the source's has. One
that is there gets those that differ, as a change that is planned, written, verified and taken back;
what only the target's has stays, and so does its owner.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from discovery.errors import MovedError
from discovery.model import Schema, dotted
from discovery.namespaces import Levels, parents
from discovery.pinned import check_unedited, pinned

GONE: Final = "it is not there"
_OWN: Final = "gravitino."
"""Properties that begin so are a Gravitino server's own: they say which entity it is."""


class Part(StrEnum):
    """What can be changed of a namespace that is there."""

    COMMENT = "comment"
    PROPERTIES = "properties"


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """A field of a namespace, and what becomes of it.

    Attributes:
        key: Of a property; None: the comment.
        before: What the target has; None: nothing.
        after: What it shall have.
    """

    key: str | None
    before: str | None
    after: str | None

    def of(self, schema: Schema) -> str | None:
        """What a namespace has there."""
        return schema.comment or None if self.key is None else dict(schema.properties).get(self.key)

    @property
    def name(self) -> str:
        """For people."""
        return Part.COMMENT.value if self.key is None else f"property {self.key}"


@dataclass(frozen=True, slots=True)
class NamespaceEdit:
    """What is changed of a namespace that a target has.

    Attributes:
        target: Name of the target.
        levels: Of the namespace there.
        fields: Those that are changed.
        stays: Fields that the source says otherwise, and that the target cannot change.
    """

    target: str
    levels: Levels
    fields: tuple[FieldEdit, ...]
    stays: tuple[str, ...] = ()

    @property
    def inverse(self) -> "NamespaceEdit":
        """What takes it back."""
        fields = tuple(FieldEdit(field.key, field.after, field.before) for field in self.fields)
        return replace(self, fields=fields)

    @property
    def place(self) -> str:
        """For people."""
        return f"{self.target}: the namespace {dotted(self.levels)}"

    def is_to_do(self, present: Schema | None) -> bool:
        """Whether it is not made yet.

        Raises:
            MovedError: The namespace is neither as the plan saw it nor as it is to be.
        """
        if present is None:
            raise MovedError("the namespace is gone", namespace=dotted(self.levels))
        for field in self.fields:
            if field.of(present) not in {field.before, field.after}:
                why = f"its {field.name} is not as it was when the plan was made"
                raise MovedError(why, namespace=dotted(self.levels))
        return bool(self.differences(present))

    def differences(self, present: Schema | None) -> tuple[str, ...]:
        """The fields that are not as they are to be."""
        if present is None:
            return (GONE,)
        return tuple(field.name for field in self.fields if field.of(present) != field.after)

    def amended(self, present: Schema) -> Schema:
        """The namespace once this is made."""
        comment, properties = present.comment, dict(present.properties)
        for field in self.fields:
            if field.key is None:
                comment = field.after
            elif field.after is None:
                properties.pop(field.key, None)
            else:
                properties[field.key] = field.after
        return replace(present, comment=comment, properties=tuple(sorted(properties.items())))

    def to_json(self) -> dict[str, Any]:
        """As a line of a plan, which its `edit` names."""
        fields = [[field.key, field.before, field.after] for field in self.fields]
        members = {
            "target": self.target,
            "namespace": list(self.levels),
            "fields": fields,
            "stays": list(self.stays),
        }
        return pinned("edit", members)


def edit_of_json(data: Mapping[str, Any]) -> NamespaceEdit:
    """The inverse of `to_json`.

    Raises:
        ValueError: It has been changed since.
        KeyError, TypeError: It is none.
    """
    fields = tuple(FieldEdit(*field) for field in data["fields"])
    edit = NamespaceEdit(data["target"], tuple(data["namespace"]), fields, tuple(data["stays"]))
    return check_unedited(edit, data)


def edit_of(
    target: str, present: Schema, wanted: Schema, amends: Collection[Part]
) -> NamespaceEdit | None:
    """What has to be changed of a namespace that is there; None: nothing is.

    Args:
        target: Name of the target.
        present: The namespace as the target holds it.
        wanted: The namespace of the source, as the target would hold it.
        amends: What the target can change of one that is there.
    """
    stated = [FieldEdit(None, present.comment or None, wanted.comment)] if wanted.comment else []
    properties = dict(present.properties)
    stated += [
        FieldEdit(key, properties.get(key), value)
        for key, value in wanted.properties
        if not key.startswith(_OWN)
    ]
    other = [field_edit for field_edit in stated if field_edit.before != field_edit.after]
    if not other:
        return None
    can = {True: Part.COMMENT in amends, False: Part.PROPERTIES in amends}
    fields = tuple(field_edit for field_edit in other if can[field_edit.key is None])
    stays = tuple(field_edit.name for field_edit in other if not can[field_edit.key is None])
    return NamespaceEdit(target, present.levels, fields, stays)


def unlike(wanted: Schema, present: Schema | None) -> tuple[str, ...]:
    """The fields of a namespace that a target does not hold as they are to be."""
    if present is None:
        return (GONE,)
    edit = edit_of("", present, wanted, tuple(Part))
    return edit.differences(present) if edit else ()


def lacking_namespaces(
    wanted: Collection[Levels], held: Collection[Levels], schemas: Mapping[Levels, Schema]
) -> tuple[Schema, ...]:
    """The namespaces that a target has to get, parents first.

    One that is made only because others are below it gets the owner and the audit data of the
    first of them, unless the source states it.

    Args:
        wanted: Those that views and functions are written into.
        held: Those that the target has.
        schemas: What the source states of each.
    """
    added: dict[Levels, Schema] = {}
    for levels in sorted(set(wanted) - set(held)):
        leaf = schemas.get(levels, Schema(levels=levels))
        for above in parents(levels):
            if above not in held and above not in added:
                bare = Schema(levels=above, owner=leaf.owner, audit=leaf.audit)
                added[above] = schemas.get(above, bare)
        added[levels] = leaf
    return tuple(added[levels] for levels in sorted(added))


def leave_barred(
    added: Sequence[Schema], lacking: Collection[Levels], barred: Sequence[tuple[Levels, str]]
) -> tuple[tuple[Schema, ...], list[tuple[Levels, str]]]:
    """Of the namespaces that one target lacks: those that are made, and those that cannot be.

    Args:
        added: What `lacking_namespaces` says of this target.
        lacking: Those of them that views and functions are written into.
        barred: Parents that may not be made, and why, outermost first.

    Returns:
        What is made: what still has something wanted in it or below it; and each wanted namespace
        that is not, once, with the reason.
    """
    reasons = ((levels, _reason(levels, barred)) for levels in sorted(lacking))
    refused = [(levels, why) for levels, why in reasons if why is not None]
    made = set(lacking) - {levels for levels, _ in refused}
    needed = (schema for schema in added if any(_is_in(levels, schema.levels) for levels in made))
    return tuple(needed), refused


def _reason(levels: Levels, barred: Sequence[tuple[Levels, str]]) -> str | None:
    """Why a namespace cannot be made: what is said of the first of the parents that may not be."""
    return next((why for above, why in barred if _is_in(levels, above)), None)


def _is_in(levels: Levels, above: Levels) -> bool:
    return levels[: len(above)] == above
