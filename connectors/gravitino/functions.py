"""Functions as Gravitino keeps them from 1.2 on: in its own store, whatever a catalog's provider.

Its model wants to know of a function its kind (scalar, aggregate, table), its parameters, what it
returns and whether it is deterministic, and which of two engines runs it, Spark or Trino. Trino's
own functions say all of that; a class in a metastore says nothing of it.

Sources: `FunctionRegisterRequest`, `ManagedFunctionOperations` and `FunctionImpl.RuntimeType` of
1.3.0, whose server was asked; its readers, `GravitinoMetadata` for Trino and `BaseCatalog` for
Spark; for what Trino makes of a function without owner and path, `MetadataManager.getFunctions` and
`LanguageFunctionManager` of Trino 476.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from connectors.gravitino import column_types, names
from discovery import wire
from discovery.errors import DecodeError, NotHeldError
from discovery.formats import fields, trino_functions
from discovery.formats.trino_functions import Declaration
from discovery.functions import JAVA, TRINO_SQL, Function
from discovery.model import DataType

_ANY: Final = column_types.Types(re.compile(".*", re.DOTALL))
_SQL: Final = "SQL"
_HINT: Final = "make it at the target by hand"


def hold(function: Function, provider: str, separator: str) -> Function:
    """A function as it will read back.

    Raises:
        NotHeldError: Gravitino's model cannot say what it is, or no engine could call it there.
    """
    names.check(function.place, provider, separator, what="function")
    if function.language == JAVA:
        why = "its source tells a class only, and Gravitino wants parameters and a returned type"
        raise NotHeldError(why, hint=_HINT)
    if function.language != TRINO_SQL:
        language = function.language or "an unknown language"
        why = f"it is written in {language}, and Gravitino knows functions of Spark and Trino only"
        raise NotHeldError(why, hint=_HINT)
    registration(function)
    if function.path:
        why = f"it finds functions in {', '.join(function.path)}, and Gravitino keeps no SQL path"
        raise NotHeldError(why, hint="spell them whole in its text")
    return replace(function, arguments=None, owner=None)


def registration(function: Function) -> dict[str, Any]:
    """What registers a function of Trino.

    Raises:
        NotHeldError: Its text does not say what Gravitino wants to know, or no Trino could call it.
    """
    if function.sql is None:
        raise NotHeldError("its text could not be read", hint=_HINT)
    try:
        stated = trino_functions.declared(function.sql)
    except DecodeError as error:
        raise NotHeldError(f"its text: {error.message}", hint=_HINT) from error
    if stated.name.lower() != function.name:
        raise NotHeldError(f"its text declares the function {stated.name}", hint=_HINT)
    if stated.language != _SQL:
        raise NotHeldError(f"it is written in {stated.language} for Trino", hint=_HINT)
    if not stated.invoker:
        why = "it has its owner's rights, and Gravitino keeps no owner: Trino refuses to call it"
        raise NotHeldError(why, hint="make it with SECURITY INVOKER")
    return {
        "name": function.name,
        "functionType": "SCALAR",
        "deterministic": stated.deterministic,
        "comment": stated.comment,
        "definitions": [_definition(stated, function.sql)],
    }


def _definition(stated: Declaration, sql: str) -> dict[str, Any]:
    parameters = [
        {"name": name, "dataType": _typed(f"its parameter {name}", kind)}
        for name, kind in stated.parameters
    ]
    return {
        "parameters": parameters,
        "returnType": _typed("what it returns", stated.returns),
        "impls": [{"language": _SQL, "runtime": "TRINO", "sql": sql}],
    }


def _typed(what: str, kind: DataType) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(wire.type_text(column_types.hold_type(kind, _ANY)))
    except column_types.RefusedTypeError as error:
        why = f"{what} is {error}, for which Gravitino has no type"
        raise NotHeldError(why, hint=_HINT) from error


def function_of(stated: Mapping[str, Any], namespace: tuple[str, ...]) -> Function:
    """A function as the server tells it: Trino's if it is all that we would say of its text.

    Raises:
        DecodeError: It is no function of the API.
    """
    name = fields.required(stated, "name", "function")
    try:
        impls = [
            impl for definition in stated["definitions"] for impl in definition.get("impls") or ()
        ]
        kinds = {f"{impl['language']} for {impl['runtime']}": None for impl in impls}
    except (AttributeError, KeyError, TypeError) as error:
        raise DecodeError("are none", field="function.definitions") from error
    owner = (stated.get("audit") or {}).get("creator")
    function = Function(namespace, name, language=TRINO_SQL, owner=owner, sql=_text(impls))
    try:
        if _comparable(registration(function)) == _comparable(stated):
            return function
    except NotHeldError:
        pass
    return replace(function, language=None, implementation=", ".join(kinds), sql=None)


def _text(impls: list[Mapping[str, Any]]) -> str | None:
    sql = impls[0].get("sql") if len(impls) == 1 else None
    return sql if isinstance(sql, str) else None


def _comparable(stated: Mapping[str, Any]) -> dict[str, Any]:
    """What a function does: without what is for people, and what is empty."""
    kind = str(stated.get("functionType")).upper()
    definitions = [_without_empty(definition) for definition in stated["definitions"]]
    return {"type": kind, "for all": stated.get("deterministic"), "definitions": definitions}


def _without_empty(value: Any) -> Any:  # noqa: ANN401 - JSON
    match value:
        case dict():
            inner = {name: _without_empty(item) for name, item in value.items()}
            return {name: item for name, item in inner.items() if item not in ({}, [], None)}
        case list():
            return [_without_empty(item) for item in value]
    return value
