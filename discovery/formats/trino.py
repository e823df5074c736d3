"""Views that Trino and PrestoDB store in a Hive Metastore or in Glue: base64 JSON in a comment.

Sources: `ViewReaderUtil` and `ConnectorViewDefinition`; entries of Trino 352, 368, 470, 476 and
    PrestoDB 0.287. The entry's own columns are a dummy (PrestoDB: real Hive types if every column
    has one).

The definer is the owner of the entry: Trino and PrestoDB prefer it to the owner in the JSON, and
`ALTER VIEW … SET AUTHORIZATION` changes only the entry.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from discovery.datatypes import trino
from discovery.errors import DecodeError, InvalidTypeError, NotHeldError
from discovery.formats import fields, hive_table, loss_notes, spark
from discovery.formats.hive_table import HiveTable, ViewEntry
from discovery.model import TRINO, Column, Representation, Security, SecurityMode, View
from discovery.outcomes import NOT_SHOWN_BY_TRINO, Decoded

PREFIX: Final = "/* Presto View: "
_BEGINS: Final = (PREFIX, "/* Presto View */")  # what stands in the expanded text
_SUFFIX: Final = " */"
_TEXT: Final = "viewOriginalText"
_FLAG: Final = "presto_view"
_COMMENT: Final = "Presto View"
_COMMENT_LACKS: Final = f"the parameter `comment` is not {_COMMENT!r}"
_PRESTO_VERSION: Final = "presto_version"
PATH: Final = "trino.path"
"""The property that keeps where functions are looked up."""
_DUMMY: Final = (("dummy", "string", None),)  # what Trino leaves in `sd.cols`
_MEMBERS: Final = frozenset(  # ConnectorViewDefinition; PrestoDB's ViewDefinition has no others
    {"originalSql", "catalog", "schema", "columns", "comment", "owner", "runAsInvoker", "path"}
)
_COLUMN_MEMBERS: Final = frozenset({"name", "type", "comment"})


def matches(table: HiveTable) -> bool:
    """Marked or written as a Trino view; whether Trino accepts the marks is for `decode`."""
    if table.parameters.get(_FLAG, "").lower() == "true":
        return True
    return (table.original or table.expanded or "").startswith(_BEGINS)


def decode(table: HiveTable) -> Decoded:
    """Read SQL, columns, context and security out of the text.

    Raises:
        DecodeError: The text isn't a Trino view, lacks what Trino always writes, or is marked so
            that Trino itself says that the view does not exist; says which field.
    """
    _check_marks(table.parameters)
    return _decoded(table)


def decode_of_glue(table: HiveTable) -> Decoded:
    """The same of Glue, whose views Athena reads: it asks for the flag alone, as PrestoDB does.

    Views that Terraform, CloudFormation or boto have made often have no comment, or one for people,
    and run in Athena. Trino shows none of them. Some are views of Spark's, which people have given
    Athena's text and flag so that both read them: they keep both texts.

    Raises:
        DecodeError: As of a metastore's.
    """
    _check_flag(table.parameters)
    decoded = _with_spark(table, _decoded(table))
    if _shows(table.parameters):
        return decoded
    return replace(decoded, notes=(*decoded.notes, NOT_SHOWN_BY_TRINO.note(_COMMENT_LACKS)))


def _with_spark(table: HiveTable, decoded: Decoded) -> Decoded:
    """The text that Spark reads in the same entry, if it has one, beside Athena's.

    Spark reads the expanded text and its own parameters (`discovery.formats.spark`), Athena the
    original text (issue 29 of awslabs/aws-glue-data-catalog-client-for-apache-hive-metastore). What
    Spark's text is completed from is in the representation; the columns are Athena's.
    """
    text, view = table.expanded, decoded.result
    if text is None or text.startswith(_BEGINS) or not spark.matches(table):
        return decoded
    try:
        beside = spark.decode(replace(table, original=text))
    except DecodeError as error:  # what is left of an earlier view, perhaps: Athena reads its own
        lost = loss_notes.not_in_model([error.where.get("field", "viewExpandedText")])
        return replace(decoded, notes=(*decoded.notes, *lost))
    if not isinstance(view, View) or not isinstance(beside.result, View):
        return decoded
    left = {key for key, _ in beside.result.properties} | {PATH, "comment"}
    view = replace(
        view,
        representations=(*view.representations, *beside.result.representations),
        properties=tuple(item for item in view.properties if item[0] in left),
    )
    return Decoded(view, (*decoded.notes, *beside.notes))


def _decoded(table: HiveTable) -> Decoded:
    blob = _blob(table.original or "")
    catalog, schema = fields.text(blob, "catalog", _TEXT), fields.text(blob, "schema", _TEXT)
    if schema is not None and catalog is None:
        raise DecodeError("is missing though there is a schema", field=f"{_TEXT}.catalog")
    representation = Representation(
        dialect=TRINO,
        sql=fields.required(blob, "originalSql", _TEXT),
        default_catalog=catalog,
        default_schema=schema,
    )
    view = View(
        identifier=table.identifier,
        columns=_columns(blob, presto=table.parameters.get(_PRESTO_VERSION, "").startswith("0.")),
        representations=(representation,),
        comment=fields.text(blob, "comment", _TEXT),
        security=_security(blob, table.owner),
        properties=_properties(table.parameters, blob),
        audit=hive_table.audit(table),
    )
    return Decoded(view, tuple(loss_notes.not_in_model(_unread(blob))))


def _unread(blob: Mapping[str, object]) -> Iterator[str]:
    """Members of the JSON that no version we know writes: a later one may mean something by them.

    Members that are null say nothing.
    """
    for key, value in blob.items():
        if key not in _MEMBERS and value is not None:
            yield f"{_TEXT}.{key}"
    for index, column in enumerate(cast("list[dict[str, object]]", blob["columns"])):
        if len(column) > len(_COLUMN_MEMBERS) or not _COLUMN_MEMBERS.issuperset(column):
            for key, value in column.items():
                if key not in _COLUMN_MEMBERS and value is not None:
                    yield f"{_TEXT}.columns[{index}].{key}"


def _check_marks(parameters: Mapping[str, str]) -> None:
    """Refuse what the engine that wrote the entry would not find again.

    Trino 476 looks at the flag and, ignoring case, at the comment (`ViewReaderUtil.isTrinoView`).
    Those that wrote `presto_version` look at the flag alone: PrestoDB (`MetastoreUtil`, 0.217 and
    0.287) and Trino 352 to 368 (`ViewReaderUtil.isPrestoView`).
    """
    _check_flag(parameters)
    if not _shows(parameters):
        raise DecodeError(
            f"is {parameters.get('comment')!r}; Trino recognises its views by {_COMMENT!r}",
            field="parameters.comment",
        )


def _check_flag(parameters: Mapping[str, str]) -> None:
    flag = parameters.get(_FLAG)
    if flag != "true":
        raise DecodeError(
            f"is {flag!r}; Trino recognises its views by 'true'", field=f"parameters.{_FLAG}"
        )


def _shows(parameters: Mapping[str, str]) -> bool:
    """Whether the engine that wrote the entry finds it again, beside the flag."""
    return _is_marked(parameters.get("comment")) or _PRESTO_VERSION in parameters


def _is_marked(comment: str | None) -> bool:
    return comment is not None and comment.lower() == _COMMENT.lower()


def _blob(text: str) -> Mapping[str, object]:
    if not text.startswith(PREFIX) or not text.endswith(_SUFFIX):
        raise DecodeError(f"does not have the form '{PREFIX}<base64>{_SUFFIX}'", field=_TEXT)
    try:
        encoded = text[len(PREFIX) : -len(_SUFFIX)]
        if not encoded.endswith("="):
            encoded += "=" * (-len(encoded) % 4)  # Java's decoder does without the padding
        blob = json.loads(binascii.a2b_base64(encoded, strict_mode=True))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise DecodeError(f"holds no base64 JSON: {error}", field=_TEXT) from error
    if not isinstance(blob, dict):
        raise DecodeError("holds no JSON object", field=_TEXT)
    return blob


def _columns(blob: Mapping[str, object], *, presto: bool) -> tuple[Column, ...]:
    parse = partial(trino.parse, quotes_doubled_twice=True) if presto else trino.parse
    columns = fields.columns(blob, "columns", _TEXT, parse)
    if not columns:
        raise DecodeError("must be a list of at least one column", field=f"{_TEXT}.columns")
    return tuple(columns)


def _security(blob: Mapping[str, object], entry_owner: str | None) -> Security | None:
    invoker = blob.get("runAsInvoker")
    if invoker is None:
        return None
    owner = fields.text(blob, "owner", _TEXT)
    if invoker is False:
        return Security(SecurityMode.DEFINER, entry_owner or owner)
    if invoker is not True:
        raise DecodeError("must be true or false", field=f"{_TEXT}.runAsInvoker")
    if owner is not None:
        raise DecodeError(
            "stands beside runAsInvoker=true, which Trino refuses", field=f"{_TEXT}.owner"
        )
    return Security(SecurityMode.INVOKER)


def _properties(
    parameters: Mapping[str, str], blob: Mapping[str, object]
) -> tuple[tuple[str, str], ...]:
    consumed = (_FLAG, "comment") if _is_marked(parameters.get("comment")) else (_FLAG,)
    stated = hive_table.properties(parameters, consumed)
    path = blob.get("path")  # SET PATH: where functions are looked up
    if not path:
        return stated
    compact = json.dumps(path, separators=(",", ":"), ensure_ascii=False)
    return tuple(sorted((*stated, (PATH, compact))))


def encode(view: View, text: Representation) -> ViewEntry:
    """The entry as Trino 476 writes it; as PrestoDB does where the view is one of PrestoDB's.

    Trino takes the owner of the entry for the definer (`HiveMetadata.getView`), so that is who
    stands there. A view of which no security is known is run by whoever asks: nobody gets more
    rights by it than he has; PrestoDB before 0.217 wrote nothing.

    Args:
        view: To be written.
        text: That of its representations which is taken.

    Raises:
        InvalidTypeError: Trino has no type for a column; says which.
        NotHeldError: Trino would refuse the view.
    """
    if not view.columns:
        raise NotHeldError("a view of Trino has at least one column", view=str(view.identifier))
    if text.default_schema is not None and text.default_catalog is None:
        why = "a view of Trino with a default schema has a default catalog, too"
        raise NotHeldError(why, view=str(view.identifier))
    stated = dict(view.properties)
    version = stated.get(_PRESTO_VERSION, "")
    blob = json.dumps(
        {key: value for key, value in _members(view, text, version) if value is not None},
        separators=(",", ":"),
        ensure_ascii=False,
    )
    security = view.security
    runs_as = security is not None and security.mode is SecurityMode.DEFINER
    dropped = (PATH, _FLAG, "comment") if not version else (PATH, _FLAG)
    kept = {key: value for key, value in view.properties if key not in dropped}
    return ViewEntry(
        identifier=view.identifier,
        original=f"{PREFIX}{base64.b64encode(blob.encode()).decode('ascii')}{_SUFFIX}",
        expanded=_BEGINS[1],
        parameters={"comment": _COMMENT, **kept, _FLAG: "true"},
        columns=_DUMMY,
        owner=security.definer if security is not None and runs_as else view.audit.creator,
        owner_kind=view.audit.creator_kind,
    )


def _members(view: View, text: Representation, version: str) -> Iterator[tuple[str, object]]:
    """The members of the JSON, in Trino's order; null ones are left out, as Trino does."""
    security = view.security
    is_definer = security is not None and security.mode is SecurityMode.DEFINER
    path = dict(view.properties).get(PATH)
    yield "originalSql", text.sql
    yield "catalog", text.default_catalog
    yield "schema", text.default_schema
    yield "columns", [_member(column, presto=version.startswith("0.")) for column in view.columns]
    yield "comment", view.comment
    yield "owner", security.definer if security is not None and is_definer else None
    yield "runAsInvoker", None if security is None and version else not is_definer
    if not version:
        yield "path", _path(path)


def _member(column: Column, *, presto: bool) -> dict[str, str]:
    try:
        kind = trino.spell(column.type, quotes_doubled_twice=presto)
    except InvalidTypeError as error:
        raise InvalidTypeError(f"{column.name}: {error}") from error
    member = {"name": column.name, "type": kind}
    return member if column.comment is None else {**member, "comment": column.comment}


def path(view: View) -> tuple[tuple[str, str], ...]:
    """The schemas in which Trino looks for functions by their short names, after its own."""
    levels = _path(dict(view.properties).get(PATH))
    try:
        return tuple((level["catalogName"], level["schemaName"]) for level in levels)
    except (KeyError, TypeError):
        return ()


def _path(stated: str | None) -> list[Any]:
    """Where functions are looked up, as `decode` keeps it; Trino 470 and later write an empty one.

    A property of that name that is no such list is somebody else's.
    """
    try:
        levels = json.loads(stated or "[]")
    except (ValueError, RecursionError):
        levels = None
    return levels if isinstance(levels, list) else []
