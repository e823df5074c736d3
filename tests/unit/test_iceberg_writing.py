"""Views as Iceberg's metadata: by the spec, and read back as they were held."""

import copy
import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from discovery.errors import DecodeError, NotHeldError
from discovery.formats import iceberg, iceberg_metadata, iceberg_writing
from discovery.formats.iceberg_metadata import ViewMetadata
from discovery.migration.changes import decide, fingerprint
from discovery.migration.diff import differences
from discovery.model import (
    Audit,
    Column,
    DataType,
    External,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Security,
    SecurityMode,
    Struct,
    UnionOf,
    View,
)
from discovery.outcomes import Listed, RawObject
from discovery.ports import Action

UID = UUID("5f0c2f0e-0000-4000-8000-000000000001")
OTHER_UID = UUID("5f0c2f0e-0000-4000-8000-000000000002")
WHERE = "s3://bucket/wh/sales/v"
NOW = 1_790_000_000_000
PLACE = Identifier(("sales",), "v")
SPARK = Representation(
    dialect="spark", sql="SELECT 1", default_catalog="lake", default_schema="a.b"
)
VIEW = View(identifier=PLACE, columns=(Column("x", Primitive("long")),), representations=(SPARK,))


def written(view: View) -> ViewMetadata:
    return read(iceberg_writing.created(view, UID, WHERE, NOW))


def read(document: dict[str, Any]) -> ViewMetadata:
    return iceberg_metadata.read(json.dumps(document).encode())


def replaced(base: ViewMetadata, *views: View) -> ViewMetadata:
    for number, view in enumerate(views, 1):
        base = read(iceberg_writing.replaced(base, view, NOW + number))
    return base


def of(kind: DataType) -> View:
    return replace(VIEW, columns=(Column("x", kind),))


def of_hive(kind: DataType) -> View:
    """The same with a text of an engine that reads no Iceberg views, and refuses no column."""
    return replace(of(kind), representations=(Representation(dialect="hive", sql="SELECT 1"),))


def numbered(number: int, **more: Any) -> View:
    return replace(VIEW, representations=(replace(SPARK, sql=f"SELECT {number}"),), **more)


def test_a_new_view_is_written_as_the_spec_has_it() -> None:
    column = Column("x", Primitive("long"), "the x", nullable=False)
    view = replace(VIEW, columns=(column,), comment="c", properties=(("k", "v"),))
    assert iceberg_writing.created(view, UID, WHERE, NOW) == {
        "view-uuid": str(UID),
        "format-version": 1,
        "location": WHERE,
        "schemas": [
            {
                "type": "struct",
                "schema-id": 0,
                "fields": [
                    {"id": 1, "name": "x", "required": True, "type": "long", "doc": "the x"}
                ],
            }
        ],
        "current-version-id": 1,
        "versions": [
            {
                "version-id": 1,
                "timestamp-ms": NOW,
                "schema-id": 0,
                "summary": {
                    "operation": "create",
                    "engine-name": "belvedere",
                    "engine-version": "0.1.0",
                },
                "default-catalog": "lake",
                "default-namespace": ["a", "b"],
                "representations": [{"type": "sql", "sql": "SELECT 1", "dialect": "spark"}],
            }
        ],
        "version-log": [{"timestamp-ms": NOW, "version-id": 1}],
        "properties": {"comment": "c", "k": "v"},
    }


def test_a_default_catalog_that_is_not_stated_is_left_out() -> None:
    bare = replace(VIEW, representations=(Representation(dialect="spark", sql="SELECT 1"),))
    (version,) = iceberg_writing.created(bare, UID, WHERE, NOW)["versions"]
    assert "default-catalog" not in version, "the spec: the catalog that stores the view"
    assert version["default-namespace"] == [], "the spec requires it"


@pytest.mark.parametrize(
    ("kind", "wider"),
    [
        ("boolean", "boolean"),
        ("integer", "int"),
        ("date", "date"),
        ("uuid", "uuid"),
        ("binary", "binary"),
        ("null", "unknown"),
        ("decimal(10,2)", "decimal(10, 2)"),
        ("fixed(16)", "fixed[16]"),
        ("time(6)", "time"),
        ("timestamp(6)", "timestamp"),
        ("timestamp_tz(6)", "timestamptz"),
        ("timestamp(9)", "timestamp_ns"),
        ("timestamp_tz(9)", "timestamptz_ns"),
    ],
)
def test_what_iceberg_has_a_type_for_is_written_so_and_nothing_is_lost(
    kind: str, wider: str
) -> None:
    (schema,) = iceberg_writing.created(of(Primitive(kind)), UID, WHERE, NOW)["schemas"]
    assert schema["fields"][0]["type"] == wider
    held = iceberg_writing.hold(of_hive(Primitive(kind)))
    assert (held.view, held.losses) == (of_hive(Primitive(kind)), ())


@pytest.mark.parametrize(
    ("kind", "wider"),
    [
        ("byte", "int"),
        ("short", "int"),
        ("byte unsigned", "int"),
        ("short unsigned", "int"),
        ("integer unsigned", "long"),
        ("long unsigned", "decimal(20, 0)"),
        ("varchar(10)", "string"),
        ("char(3)", "string"),
        ("time", "time"),
        ("time(0)", "time"),
        ("timestamp", "timestamp"),
        ("timestamp(3)", "timestamp"),
        ("timestamp_tz(0)", "timestamptz"),
        ("timestamp(7)", "timestamp_ns"),
    ],
)
def test_what_it_has_no_type_for_is_widened_and_given_back(kind: str, wider: str) -> None:
    (schema,) = iceberg_writing.created(of(Primitive(kind)), UID, WHERE, NOW)["schemas"]
    assert schema["fields"][0]["type"] == wider
    held = iceberg_writing.hold(of_hive(Primitive(kind)))
    assert held.view == of_hive(Primitive(kind))
    (loss,) = held.losses
    assert "column x" in loss


@pytest.mark.parametrize(
    "kind",
    [
        Primitive("interval_day"),
        Primitive("interval_year"),
        Primitive("time(9)"),
        Primitive("timestamp(12)"),
        External("jsonb"),
        External("variant(x)"),
        UnionOf((Primitive("long"), Primitive("string"))),
        Struct((Field("deep", ListOf(External("jsonb"))),)),
        Struct((Field("a", Primitive("long")), Field("a", Primitive("long")))),
        MapOf(Primitive("null"), Primitive("null"), value_contains_null=False),  # Spark's map()
    ],
    ids=str,
)
def test_what_no_type_of_iceberg_holds_is_refused_with_the_column(kind: DataType) -> None:
    with pytest.raises(NotHeldError, match=r"x: .*Iceberg has no"):
        iceberg_writing.hold(of(kind))


@pytest.mark.parametrize(
    ("kind", "flag"),
    [
        (ListOf(Primitive("null"), contains_null=False), "element-required"),  # Spark's array()
        (MapOf(Primitive("long"), Primitive("null"), value_contains_null=False), "value-required"),
    ],
    ids=str,
)
def test_what_has_no_type_is_not_required_or_iceberg_refuses_the_view(
    kind: DataType, flag: str
) -> None:
    """Iceberg 1.12: "Cannot create required field with unknown type"."""
    (schema,) = iceberg_writing.created(of(kind), UID, WHERE, NOW)["schemas"]
    assert schema["fields"][0]["type"][flag] is False
    held = iceberg_writing.hold(of(kind))
    assert held.view == of(kind)
    assert "column x" in held.losses[0]
    row = Struct((Field("a", Primitive("null"), nullable=False),))
    (schema,) = iceberg_writing.created(of(row), UID, WHERE, NOW)["schemas"]
    assert schema["fields"][0]["type"]["fields"][0]["required"] is False


def test_the_variant_of_flink_is_written_as_iceberg_gives_it_back() -> None:
    (schema,) = iceberg_writing.created(of(External("VARIANT")), UID, WHERE, NOW)["schemas"]
    assert schema["fields"][0]["type"] == "variant"
    assert iceberg_writing.hold(of(External("VARIANT"))).view == of(External("VARIANT"))


def test_nested_types_keep_their_null_flags_comments_and_get_an_id_each() -> None:
    kind = MapOf(
        Primitive("string"),
        Struct(
            (
                Field("a", ListOf(Primitive("long"), contains_null=False), nullable=False),
                Field("b", External("variant"), comment="of Iceberg, not of Gravitino"),
            )
        ),
        value_contains_null=False,
    )
    view = replace(VIEW, columns=(Column("x", kind), Column("y", Primitive("long"))))
    assert iceberg_writing.hold(view).view == view
    text = json.dumps(iceberg_writing.created(view, UID, WHERE, NOW)["schemas"])
    ids = [int(one.split(":")[1].strip(" ,}]").split(",")[0]) for one in text.split('id"')[1:]]
    assert sorted(ids[1:]) == [1, 2, 3, 4, 5, 6, 7], "the first is that of the schema"


def test_contexts_security_and_audit_data_have_properties_and_read_back() -> None:
    view = replace(
        VIEW,
        representations=(SPARK, Representation(dialect="Trino", sql="SELECT 2")),
        security=Security(SecurityMode.INVOKER),
        audit=Audit(creator="alice"),
    )
    properties = written(view).properties
    assert properties["belvedere.contexts"] == '{"Trino":{}}'
    assert properties["belvedere.security-mode"] == "INVOKER"
    assert properties["belvedere.audit"] == '{"creator":"alice"}'
    held = iceberg_writing.hold(view)
    assert held.view == view
    assert iceberg_writing.hold(held.view) == held
    assert iceberg.view_of(written(view), PLACE) == view


def test_a_first_text_without_context_keeps_none_beside_one_that_has_it() -> None:
    hive = Representation(dialect="hive", sql="select `t`.`id` from `rel`.`t`")
    view = replace(VIEW, representations=(hive, SPARK))
    assert iceberg_writing.hold(view).view == view
    document = iceberg_writing.created(view, UID, WHERE, NOW)
    assert document["versions"][0]["default-namespace"] == list(SPARK.default_levels)


@pytest.mark.parametrize("dialect", ["trino", "spark"])
def test_the_definer_stands_where_trino_reads_it_if_trino_reads_the_view(dialect: str) -> None:
    representation = replace(SPARK, dialect=dialect)
    security = Security(SecurityMode.DEFINER, "bob")
    view = replace(VIEW, representations=(representation,), security=security)
    properties = written(view).properties
    assert ("trino.run-as-owner" in properties) is (dialect == "trino")
    assert ("belvedere.definer" in properties) is (dialect != "trino")
    held = iceberg_writing.hold(view)
    assert held.view == view
    (loss,) = held.losses
    assert "rights of its definer" in loss


def test_what_iceberg_means_otherwise_or_cannot_mean_is_told_or_refused() -> None:
    reserved = replace(VIEW, properties=(("belvedere.types", "mine"), ("comment", "mine")))
    held = iceberg_writing.hold(reserved)
    assert held.view == VIEW
    assert [one.split()[2] for one in held.losses] == ["belvedere.types", "comment"]
    (loss,) = iceberg_writing.hold(replace(VIEW, columns=())).losses
    assert "no columns" in loss
    for text in ("0", "ten", "-1"):
        with pytest.raises(NotHeldError, match=r"version\.history\.num-entries must be a number"):
            iceberg_writing.hold(replace(VIEW, properties=((iceberg_writing.HISTORY, text),)))
    with pytest.raises(NotHeldError, match="in a namespace"):
        iceberg_writing.hold(replace(VIEW, identifier=Identifier((), "v")))


def test_a_replacement_keeps_the_history_and_what_the_spec_does_not_know() -> None:
    document = iceberg_writing.created(VIEW, UID, WHERE, NOW) | {"future": {"a": 1}}
    more = (SPARK, Representation(dialect="trino", sql="SELECT 2", default_catalog="lake"))
    after = replaced(read(document), replace(VIEW, representations=more, comment="now"))
    assert [version.id for version in after.versions] == [1, 2]
    assert after.current.id == 2
    assert after.versions[0].representations == VIEW.representations
    assert [representation.dialect for representation in after.current.representations] == [
        "spark",
        "trino",
    ]
    assert after.log == ((NOW, 1), (NOW + 1, 2))
    assert (after.uuid, after.location) == (UID, WHERE)
    assert after.document["future"] == {"a": 1}
    assert len(after.document["schemas"]) == 1, "an identical schema is used again"  # type: ignore[arg-type]


def test_other_columns_get_the_next_schema_and_former_ones_theirs_again() -> None:
    other = of(Primitive("string"))
    after = replaced(written(VIEW), other, numbered(2))
    assert [version.schema_id for version in after.versions] == [0, 1, 0]
    assert after.columns == VIEW.columns


def test_an_equal_version_becomes_current_again_and_properties_alone_make_none() -> None:
    after = replaced(written(VIEW), numbered(2), numbered(3), numbered(2))
    assert ([version.id for version in after.versions], after.current.id) == ([1, 2, 3], 2)
    assert [log_entry.version_id for log_entry in after.log] == [1, 2, 3, 2]
    last = replaced(after, numbered(2, comment="c"))
    assert (last.versions, last.log) == (after.versions, after.log)
    assert last.properties == {"comment": "c"}


@pytest.mark.parametrize(("stated", "kept"), [(None, 10), ("3", 3), ("1", 1)])
def test_old_versions_expire_as_the_view_says(stated: str | None, kept: int) -> None:
    properties = () if stated is None else ((iceberg_writing.HISTORY, stated),)
    after = replaced(written(VIEW), *(numbered(one, properties=properties) for one in range(2, 15)))
    assert [version.id for version in after.versions] == list(range(15 - kept, 15))
    assert [log_entry.version_id for log_entry in after.log] == list(range(15 - kept, 15))
    back = replaced(after, numbered(15 - kept, properties=properties), numbered(99))
    assert back.current.id == 15, "a number is never given twice"


def test_the_log_begins_after_the_last_version_that_has_expired() -> None:
    keep_two = {"properties": ((iceberg_writing.HISTORY, "2"),)}
    views = [numbered(one, **keep_two) for one in (2, 3, 2, 4)]
    after = replaced(written(VIEW), *views)
    assert [version.id for version in after.versions] == [3, 4]
    assert [log_entry.version_id for log_entry in after.log] == [4], (
        "2 has expired, and stood before it"
    )


def test_what_another_engine_changed_is_not_taken_for_ours() -> None:
    ours = replace(of(Primitive("byte")), security=Security(SecurityMode.INVOKER))
    document: dict[str, Any] = copy.deepcopy(dict(written(ours).document))
    assert iceberg.view_of(read(document), PLACE) == replace(
        ours, audit=iceberg.view_of(read(document), PLACE).audit
    )
    document["versions"][0]["representations"][0]["sql"] = "SELECT 2"
    view = iceberg.view_of(read(document), PLACE)
    assert view.columns == of(Primitive("integer")).columns
    assert (view.security, view.properties) == (None, ())


def test_a_property_of_ours_that_was_spoilt_is_named() -> None:
    document = iceberg_writing.created(of(Primitive("byte")), UID, WHERE, NOW)
    for text in ("[", "[1]", '{"x": "nonsense("}', '{"x": {"type": "nonsense"}}'):
        document["properties"]["belvedere.types"] = text
        with pytest.raises(DecodeError, match=r"properties\.belvedere"):
            iceberg.view_of(read(document), PLACE)


def test_a_plan_against_what_was_written_says_keep() -> None:
    view = replace(
        of(Struct((Field("a", Primitive("char(2)")),))),
        security=Security(SecurityMode.DEFINER, "bob"),
        audit=Audit(creator="alice"),
    )
    wanted = iceberg_writing.hold(view).view
    there = iceberg.view_of(written(wanted), PLACE)
    assert differences(wanted, there) == ()
    assert fingerprint(wanted) == fingerprint(there)
    assert decide(wanted, there).action is Action.KEEP


def test_a_view_with_a_past_keeps_it_and_a_version_that_says_the_same() -> None:
    past = replaced(written(numbered(1)), numbered(2))
    same = read(iceberg_writing.created(numbered(2), OTHER_UID, "s3://new", NOW + 9, past))
    assert same.versions == past.versions
    assert (same.current, same.log) == (past.current, past.log)
    assert (same.uuid, same.location) == (OTHER_UID, "s3://new")
    other = read(iceberg_writing.created(numbered(3), OTHER_UID, "s3://new", NOW + 9, past))
    assert [version.id for version in other.versions] == [1, 2, 3]
    assert other.current.id == 3
    assert other.log[-1].timestamp_ms == NOW + 9


def test_of_a_past_only_the_versions_are_taken() -> None:
    document = iceberg_writing.created(VIEW, UID, WHERE, NOW)
    odd = document | {"future": {"a": 1}, "properties": {"k": "v", "comment": "old"}}
    found = iceberg_writing.created(VIEW, OTHER_UID, "s3://new", NOW, read(odd))
    assert "future" not in found
    assert found["properties"] == iceberg_writing.created(VIEW, UID, WHERE, NOW)["properties"]


def test_a_past_is_what_a_source_has_of_an_iceberg_view_and_nothing_else() -> None:
    document = iceberg_writing.created(VIEW, UID, WHERE, NOW)
    listed, text = Listed(("a",), "v"), json.dumps(document).encode()
    inline = RawObject(listed, "iceberg_view", {"metadata": document})
    beside = RawObject(listed, "hive_table", {"tableName": "v"}, {"s3://m.json": text})
    assert iceberg.past(inline) == iceberg.past(beside) == read(document)
    broken = RawObject(listed, "hive_table", {"tableName": "v"}, {"s3://m.json": b"{}"})
    bare = RawObject(listed, "hive_table", {"tableName": "v"})
    assert [iceberg.past(one) for one in (None, broken, bare)] == [None] * 3
