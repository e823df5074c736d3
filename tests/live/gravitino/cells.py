"""Run by the Python that has Gravitino's official client: its classes read the cells of views.

A row as JSON per line in; out, what the classes make of it, or why they refuse it.
"""

import json
import sys

from gravitino.api.rel.types.json_serdes.type_serdes import TypeSerdes
from gravitino.dto.audit_dto import AuditDTO
from gravitino.dto.rel.view_dto import ViewDTO


def read(row: dict[str, str]) -> dict[str, object]:
    cells = {name: json.loads(row[name]) for name in ("columns", "representations", "audit_info")}
    view = ViewDTO.from_dict(
        {
            "name": row["view_name"],
            "comment": row["view_comment"],
            "columns": cells["columns"],
            "representations": cells["representations"],
            "defaultCatalog": row["default_catalog"],
            "defaultSchema": row["default_schema"],
            "properties": json.loads(row["properties"] or "{}"),
            "audit": cells["audit_info"],
        }
    )
    for column in view.columns():
        column.validate()
    AuditDTO.from_dict(cells["audit_info"])
    return {
        "columns": [
            [one.name(), TypeSerdes.serialize(one.data_type()), one.nullable(), one.comment()]
            for one in view.columns()
        ],
        "sql": {
            representation.dialect(): representation.sql()
            for representation in view.representations()
        },
        "properties": view.properties(),
        "creator": view.audit_info().creator(),
    }


for line in sys.stdin:
    print(json.dumps(read(json.loads(line))))
