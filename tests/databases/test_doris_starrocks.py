"""Doris and StarRocks, of which no real server could be met: against what their documentation says.

Sources: "Information Schema" (`tables`, `views`, `columns`, `materialized_views`), "CREATE VIEW",
"SHOW CREATE VIEW" of the StarRocks documentation, "information_schema" of the Doris documentation.
"""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from connectors.jdbc.doris import Doris
from connectors.jdbc.doris import Options as DorisOptions
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.starrocks import Options as StarRocksOptions
from connectors.jdbc.starrocks import StarRocks
from discovery.model import Security, SecurityMode
from discovery.outcomes import Skipped
from tests.databases.crawled import failure, notes, outcomes, type_of, types, view
from tests.databases.protocol_double import Double, serving

TYPES: Final = {
    "doris": {
        "boolean": "boolean",
        "tinyint": "byte",
        "smallint(6)": "short",
        "int(11)": "integer",
        "bigint(20)": "long",
        "largeint": "ext largeint",
        "bigint unsigned": "ext bigint unsigned",
        "float": "float",
        "double": "double",
        "decimal(12,2)": "decimal(12,2)",
        "decimalv3(38, 10)": "decimal(38,10)",
        "date": "date",
        "datev2": "date",
        "datetime": "timestamp(0)",
        "datetimev2(6)": "timestamp(6)",
        "char(3)": "char(3)",
        "varchar(20)": "varchar(20)",
        "string": "string",
        "json": "ext json",
        "variant": "ext variant",
        "ipv4": "ext ipv4",
        "bitmap": "ext bitmap",
        "array<int(11)>": "ext array<int(11)>",
        "map<string,int>": "ext map<string,int>",
    },
    "starrocks": {
        "boolean": "boolean",
        "tinyint(4)": "byte",
        "smallint(6)": "short",
        "int(11)": "integer",
        "bigint(20)": "long",
        "largeint(40)": "ext largeint(40)",
        "float": "float",
        "double": "double",
        "decimal(12, 2)": "decimal(12,2)",
        "decimal64(10, 2)": "decimal(10,2)",
        "date": "date",
        "datetime": "timestamp",
        "char(3)": "char(3)",
        "varchar(20)": "varchar(20)",
        "varchar(65533)": "string",
        "varbinary": "binary",
        "json": "ext json",
        "hll": "ext hll",
        "array<int(11)>": "ext array<int(11)>",
        "struct<a int(11)>": "ext struct<a int(11)>",
    },
}
BROKEN: Final = "Getting analyzing error. Detail message: Unknown table 'shop.t'."
UNPREPARED: Final = (
    "COLUMNS_FROM_CATALOG",
    "the server names no columns of a query that is only prepared",
)
DENIED: Final = "Access denied; you need (at least one of) the (SELECT) privilege(s) on VIEW hidden"


def double(kind: str) -> Double:
    names = [f"c{number}" for number in range(len(TYPES[kind]))]
    every = [
        ("shop", "v", name, at, "", text, "of c0" if at == 1 else "")
        for at, (name, text) in enumerate(zip(names, TYPES[kind], strict=True), 1)
    ]
    text = "SELECT `a` FROM `internal`.`shop`.`t`"
    character = ("utf8mb3", "utf8mb3_general_ci")
    invoker = "INVOKER" if kind == "starrocks" else ""
    return Double(
        version="5.7.99" if kind == "doris" else "8.0.33",
        catalog={
            "schemata": [
                ("def", name, "utf8mb3", "utf8mb3_general_ci")
                for name in ("shop", "information_schema", "_statistics_", "__internal_schema")
            ],
            "tables": [
                ("shop", "t", "BASE TABLE", "OLAP", ""),
                ("shop", "v", "VIEW", "", "of the view"),
                ("shop", "broken", "VIEW", "", ""),
                ("shop", "hidden", "VIEW", "", ""),
                ("shop", "secret", "VIEW", "", ""),
                ("shop", "mv", "VIEW" if kind == "starrocks" else "BASE TABLE", "", ""),
            ],
            "views": [
                ("shop", "v", text, "NONE", "NO", "root", invoker, *character),
                ("shop", "broken", text, "NONE", "NO", "root", "", *character),
                ("shop", "secret", text, "NONE", "NO", "root", "", *character),
                ("shop", "hidden", text, "NONE", "NO", "root", "", *character),
            ],
            "columns": [*every, ("shop", "hidden", "h", 1, "int", "int(11)", "")],
            "materialized_views": [("shop", "mv", "true")],
        },
        views={"shop.v": names, "shop.hidden": ["h"]},
        errors={
            "FULL COLUMNS FROM `shop`.`broken`": (1064, BROKEN),
            "FULL COLUMNS FROM `shop`.`secret`": (1142, DENIED),
        },
    )


SORTS: Final[dict[str, tuple[type[MySQL], Any, str]]] = {
    "doris": (Doris, DorisOptions, "internal"),
    "starrocks": (StarRocks, StarRocksOptions, "default_catalog"),
}


@pytest.fixture(params=sorted(SORTS))
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[str, Double, MySQL]]:
    kind = request.param
    source, options, _ = SORTS[kind]
    held = double(kind)
    with serving(held) as port:
        yield kind, held, source(options(url=f"{kind}://127.0.0.1:{port}/", user="root", timeout=9))


def test_views_are_read_as_the_documentation_says(asked: tuple[str, Double, MySQL]) -> None:
    kind, held, source = asked
    found = outcomes(source)
    assert "information_schema/" not in found
    stated = view(found["v"])
    assert list(types(found["v"]).values()) == list(TYPES[kind].values())
    assert stated.comment == "of the view"
    assert stated.columns[0].comment == "of c0"
    (text,) = stated.representations
    assert (text.dialect, text.default_catalog) == (kind, SORTS[kind][2])
    assert notes(found["v"]) == [UNPREPARED]
    invoker = Security(SecurityMode.INVOKER, "root")
    assert stated.security == (invoker if kind == "starrocks" else None)
    assert not [statement for statement in held.statements if "`v`" in statement], (
        "no statement names a view"
    )
    assert "SET query_timeout = 9" in held.statements
    writes = ("CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE")
    assert not [
        statement for statement in held.statements if statement.strip().upper().startswith(writes)
    ]


def test_forbidden_and_broken_views_are_told_with_the_servers_message(
    asked: tuple[str, Double, MySQL],
) -> None:
    _, _, source = asked
    found = outcomes(source)
    assert view(found["broken"]).columns == ()
    assert notes(found["broken"]) == [("COLUMNS_UNKNOWN", f"1064: {BROKEN}")]
    assert failure(found["secret"]) == ("DENIED", f"1142: {DENIED}")
    assert types(found["hidden"]) == {"h": "integer"}
    assert notes(found["hidden"]) == [UNPREPARED]


def test_materialized_views_are_no_views(asked: tuple[str, Double, MySQL]) -> None:
    kind, _, source = asked
    result = outcomes(source)["mv"].result
    assert isinstance(result, Skipped)
    assert result.reason.code == ("MATERIALIZED_VIEW" if kind == "starrocks" else "TABLE")


@pytest.mark.parametrize("kind", sorted(SORTS))
def test_every_documented_type_maps(kind: str) -> None:
    for text, wanted in TYPES[kind].items():
        assert type_of(SORTS[kind][0].parse(text)) == wanted
