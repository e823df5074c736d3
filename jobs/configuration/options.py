"""A connector's options as a strict model, and the schema of the whole file."""

import dataclasses
import types
from collections.abc import Hashable, Iterator
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import AfterValidator, BaseModel, Field, create_model
from pydantic.json_schema import JsonSchemaValue

from connectors import registry
from connectors.clients.credentials import Secret
from discovery.migration import routes
from jobs.configuration.estate import Estate, TargetSettings
from jobs.configuration.gates import SecretText, Strict, check_path

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

GRAVITINO: Final = "gravitino"
"""The kind of a target whose store is chosen by what its catalog can do."""
_COUNT: Final = Annotated[int, Field(ge=1, le=100_000)]
"""Of connections, among others: each is a task of Spark's."""
_SECONDS: Final = Annotated[float, Field(gt=0, le=7 * 24 * 3600)]
"""A week: PostgreSQL counts milliseconds in 31 bits, and no clock below takes any number."""


def configured(options: "type[DataclassInstance]") -> list[dataclasses.Field[object]]:
    """The options that a configuration may set."""
    return [
        field for field in dataclasses.fields(options) if field.metadata.get("configured", True)
    ]


def spelled(field: dataclasses.Field[object]) -> str:
    """An option's name in `estate.yaml`: the field's, unless it states another system's own."""
    name: str = field.metadata.get("key", field.name)
    return name


def parts(hint: object) -> Iterator[object]:
    """A type and all that it is made of."""
    yield hint
    for part in get_args(hint):
        yield from parts(part)


def model(options: "type[DataclassInstance]") -> type[BaseModel]:
    """A strict model of a connector's options."""
    return _model_of(cast("Hashable", options))  # mypy finds no hash in a type of any class


@cache
def _model_of(options: Any) -> type[BaseModel]:  # noqa: ANN401 - see `model`
    """It is made once: for each of 3,000 sources, that took seconds."""
    hints = get_type_hints(options)
    fields: dict[str, Any] = {}
    for field in configured(options):
        default = ... if field.default is dataclasses.MISSING else field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        alias = spelled(field) if spelled(field) != field.name else None
        hint = _strict(hints[field.name])
        if field.metadata.get("path"):
            hint = Annotated[hint, AfterValidator(check_path)]
        fields[field.name] = (hint, Field(default, alias=alias))
    return create_model(options.__qualname__, __base__=Strict, **fields)


def _strict(hint: object) -> object:
    """The type with the bounds that every option has: counts from 1, seconds above 0."""
    simple: dict[object, object] = {Secret: SecretText, int: _COUNT, float: _SECONDS}
    if hint in simple:
        return simple[hint]
    origin, parts = get_origin(hint), tuple(_strict(part) for part in get_args(hint))
    if origin in {Union, types.UnionType}:
        return Union[parts]  # noqa: UP007 - of a tuple made at run time
    return origin[parts] if origin else hint


def json_schema() -> JsonSchemaValue:
    """The JSON schema of `estate.yaml`, for editors."""
    schema = Estate.model_json_schema()
    sources = [_options_schema(kind, where) for kind, where in registry.SOURCES.items()]
    stores = [_options_schema(kind, where) for kind, where in registry.STORES.items()]
    settings = TargetSettings.model_json_schema()["properties"]
    for store in stores:
        store["properties"].update(settings)
    schema["properties"]["sources"]["additionalProperties"] = {"oneOf": sources}
    schema["properties"]["engines"] = _with_running(schema["properties"]["engines"])
    schema["properties"]["targets"]["additionalProperties"] = {
        "oneOf": [*stores, _grouped(settings)]
    }
    return schema


def _with_running(engines: JsonSchemaValue) -> JsonSchemaValue:
    """The schema of `engines`, with what the file may say of those that can be asked."""
    for form in engines["anyOf"]:
        for maps in form.get("anyOf", (form,)):
            if maps.get("type") == "object":
                each = maps["additionalProperties"]
                maps["properties"] = {
                    name: _running_schema(each, where) for name, where in registry.ENGINES.items()
                }
    return engines


def _running_schema(each: JsonSchemaValue, where: registry.ConnectorKind) -> JsonSchemaValue:
    """The schema of an engine that can be asked: how it is set up, and where it runs."""
    options = model(where.options()).model_json_schema()["properties"]
    forms = [
        {**kind, "properties": {**kind["properties"], **options}} if "properties" in kind else kind
        for kind in each["anyOf"]
    ]
    return {"anyOf": forms}


def _grouped(settings: JsonSchemaValue) -> JsonSchemaValue:
    """The schema of a target whose store is chosen."""
    ways = sorted(
        {route.store for group in routes.ROUTES.values() for route in group if route.store}
    )
    return {
        "title": GRAVITINO,
        "type": "object",
        "properties": {
            "kind": {"const": GRAVITINO},
            "route": {"enum": [routes.AUTO, *ways], "default": routes.AUTO},
            "provider": {"enum": sorted(routes.ROUTES)},
            **{store: {"type": "object"} for store in ways},
            **settings,
        },
        "required": ["kind", "provider"],
    }


def _options_schema(kind: str, where: registry.ConnectorKind) -> JsonSchemaValue:
    schema = model(where.options()).model_json_schema()
    schema["title"] = kind
    schema["properties"] = {"kind": {"const": kind}, **schema["properties"]}
    schema["required"] = ["kind", *schema.get("required", [])]
    return schema
