"""Drives Gravitino's official Python client against a server; prints what it read, as JSON.

Runs in an environment of its own, since the client pins what others need otherwise:
`client.py URI write` makes all that a view lives in, and takes the view through its life;
`client.py URI read` reads the views of the schema. What to write comes in on the standard input.
"""

import json
import sys
from typing import Any

from gravitino import Catalog, GravitinoAdminClient, GravitinoClient, NameIdentifier
from gravitino.api.rel.sql_representation import SQLRepresentation
from gravitino.api.rel.view_change import ViewChange
from gravitino.dto.rel.column_dto import ColumnDTO
from gravitino.namespace import Namespace

SCHEMA = "s"


def main(uri: str, what: str) -> None:
    told = json.load(sys.stdin)
    if what == "write":
        print(json.dumps(write(uri, told)))
    else:
        views = opened(uri).load_catalog("c").as_view_catalog()
        places = views.list_views(Namespace.of(SCHEMA))
        print(json.dumps([shown(views.load_view(place)) for place in places]))


def opened(uri: str) -> Any:
    return GravitinoClient(uri=uri, metalake_name="m", check_version=False)


def write(uri: str, told: dict[str, Any]) -> list[Any]:
    GravitinoAdminClient(uri=uri, check_version=False).create_metalake("m", "", {})
    properties = told["catalog_properties"]
    catalog = opened(uri).create_catalog(
        "c", Catalog.Type.RELATIONAL, told["provider"], "", properties
    )
    catalog.as_schemas().create_schema(SCHEMA, told["schema_comment"], told["schema_properties"])
    views, place = catalog.as_view_catalog(), NameIdentifier.of(SCHEMA, told["before"]["name"])
    seen: list[Any] = [
        shown(views.create_view(place, **content(told["before"]), properties=told["set"]))
    ]
    try:
        views.create_view(place, **content(told["before"]), properties=told["set"])
    except Exception as error:  # noqa: BLE001 - its class is what is wanted
        seen.append(type(error).__name__)
    changes = [ViewChange.set_property(*item) for item in told["then_set"].items()]
    changes.append(replaced(told["after"]))
    changes += [ViewChange.remove_property(one) for one in told["then_removed"]]
    seen.append(shown(views.alter_view(place, *changes)))
    seen.append(shown(views.alter_view(place, ViewChange.rename("w"))))
    renamed = NameIdentifier.of(SCHEMA, "w")
    seen.append([views.drop_view(renamed), views.drop_view(renamed)])
    try:
        views.load_view(renamed)
    except Exception as error:  # noqa: BLE001 - its class is what is wanted
        seen.append(type(error).__name__)
    return seen


def content(view: dict[str, Any]) -> dict[str, Any]:
    first = view["representations"][0]
    return {
        "columns": [ColumnDTO.from_dict(column, infer_missing=True) for column in view["columns"]],
        "representations": [
            SQLRepresentation(representation["dialect"], representation["sql"])
            for representation in view["representations"]
        ],
        "comment": view.get("comment"),
        "default_catalog": first.get("defaultCatalog"),
        "default_schema": first.get("defaultSchema"),
    }


def replaced(view: dict[str, Any]) -> Any:
    now = content(view)
    return ViewChange.replace_view(
        now["columns"],
        now["representations"],
        now["default_catalog"],
        now["default_schema"],
        now["comment"],
    )


def shown(view: Any) -> dict[str, Any]:
    return {
        "name": view.name(),
        "comment": view.comment(),
        "columns": [column.to_dict() for column in view.columns()],
        "representations": [
            {"dialect": representation.dialect(), "sql": representation.sql()}
            for representation in view.representations()
        ],
        "defaultCatalog": view.default_catalog(),
        "defaultSchema": view.default_schema(),
        "properties": view.properties(),
        "creator": view.audit_info().creator(),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
