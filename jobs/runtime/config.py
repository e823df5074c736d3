"""The configuration: `estate.yaml`, checked as a whole, every problem with its line and column."""

import dataclasses
import os
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, ValidationError, create_model
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from connectors import registry
from connectors.clients.credentials import Secret
from discovery.errors import ConfigurationError, ReadOnlyCatalogError
from jobs.runtime.gates import FailOn, OpenLineage, SecretText, Strict
from jobs.runtime.partitions import Connector
from reports.codes import pages
from reports.thresholds import Limits

_REFERENCE: Final = re.compile(r"\$\{(env|file):([^}]+)\}")
_COUNT: Final = Annotated[int, Field(ge=1)]
_SECONDS: Final = Annotated[float, Field(gt=0)]

Place = tuple[str | int, ...]


class Mapped(Strict):
    """A rule of `mapping`: the views of a source go to a target."""

    source: str
    target: str


class Estate(Strict):
    """`estate.yaml`: what is crawled, where it goes, and where the runs are kept."""

    warehouse: str = Field(description="Folder for the runs: a path or a URI that Spark knows.")
    archive: bool = Field(default=False, description="Whether a crawl archives its raw objects.")
    sources: dict[str, dict[str, Any]] = Field(min_length=1)
    targets: dict[str, dict[str, Any]] = Field(default={})
    mapping: tuple[Mapped, ...] = Field(
        default=(), description="Which source goes where; without it, all go to the only target."
    )
    engines: tuple[str, ...] = Field(
        default=tuple(registry.JUDGES), description="Engines whose parsers judge the views."
    )
    jars_dir: str | None = Field(
        default=None,
        description="Folder with the judges' jars; without it Spark's resolver fetches them.",
    )
    catalogs: dict[str, dict[str, str]] = Field(
        default={},
        description="What engines call the sources: engine to catalog name to source. The default "
        "catalog of a view is taken for its own source where this does not say otherwise.",
    )
    fail_on: FailOn = FailOn()
    openlineage: OpenLineage | None = Field(
        default=None, description="Where a report sends events of OpenLineage, beside the file."
    )


@dataclasses.dataclass(frozen=True, slots=True)
class RunConfig:
    """A checked configuration, secrets resolved.

    Attributes:
        warehouse: An absolute path, or a URI that Spark knows.
        archive: Whether a crawl archives its raw objects.
        sources: By name.
        targets: By name.
        mapping: Source to target, by name.
        engines: Engines whose parsers judge the views.
        jars_dir: Folder with the judges' jars; None: they are fetched.
        catalogs: Engine to catalog name to source.
        undecoded: How many views may be read and not decoded before the exit code is 3.
        limits: The thresholds that a report looks at.
        openlineage: Where events are sent; None: nowhere.
    """

    warehouse: str
    archive: bool
    sources: Mapping[str, Connector]
    targets: Mapping[str, Connector]
    mapping: Mapping[str, str]
    engines: tuple[str, ...]
    jars_dir: str | None
    catalogs: Mapping[str, Mapping[str, str]]
    undecoded: int
    limits: Limits = dataclasses.field(default_factory=Limits)
    openlineage: OpenLineage | None = None

    @property
    def target_catalogs(self) -> tuple[str, ...]:
        """The catalogs that the targets load views into, as far as their options name one."""
        names = (getattr(one.options, "catalog", None) for one in self.targets.values())
        return tuple(name for name in names if name)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The values that no output may show."""
        connectors = (*self.sources.values(), *self.targets.values())
        found = [one for connector in connectors for one in connector.secrets]
        if self.openlineage is not None and self.openlineage.api_key is not None:
            found.append(self.openlineage.api_key)
        return tuple(found)


def load(path: Path) -> RunConfig:
    """Read and check a configuration.

    Raises:
        ConfigurationError: With every problem, as `file:line:column: what is wrong`.
    """
    return _Loader(path).load()


def json_schema() -> dict[str, Any]:
    """The JSON schema of `estate.yaml`, for editors."""
    schema = Estate.model_json_schema()
    for key, table in (("sources", registry.SOURCES), ("targets", registry.STORES)):
        schema["properties"][key]["additionalProperties"] = {
            "oneOf": [_options_schema(kind, where) for kind, where in table.items()]
        }
    return schema


class _Loader:
    """One reading of one file: problems are gathered, not raised one by one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._problems: list[tuple[int, int, str]] = []
        self._tree: Any = None  # ruamel's maps and lists, with their places
        self._resolved: dict[Place, list[Secret]] = {}  # what references came to, by connector

    def load(self) -> RunConfig:
        self._tree = self._read()
        plain = self._resolve(self._tree, ())
        estate = self._checked(Estate, plain, ())
        sources = _counted_once(self._connectors(plain, "sources", registry.SOURCES))
        targets = self._connectors(plain, "targets", registry.STORES)
        if estate is not None:
            self._check_names(estate)
        if estate is None or self._problems:
            lines = [f"{self._path}:{a}:{b}: {why}" for a, b, why in sorted(self._problems)]
            raise ConfigurationError("\n".join(lines))
        mapping = {rule.source: rule.target for rule in estate.mapping}
        if not mapping and len(targets) == 1:
            mapping = dict.fromkeys(sources, *targets)
        return RunConfig(
            self._absolute(estate.warehouse),
            estate.archive,
            sources,
            targets,
            mapping,
            estate.engines,
            estate.jars_dir and self._absolute(estate.jars_dir),
            estate.catalogs,
            estate.fail_on.undecoded,
            estate.fail_on.limits(),
            estate.openlineage,
        )

    def _read(self) -> Any:  # noqa: ANN401 - YAML
        try:
            text = self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{self._path}: {error}") from error
        try:
            tree: Any = YAML().load(text)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
            raise ConfigurationError(f"{self._path}:{place}: {error.problem}") from error
        if not isinstance(tree, dict):
            raise ConfigurationError(
                f"{self._path}:1:1: must be a map with 'warehouse' and 'sources'"
            )
        return tree

    def _resolve(self, node: Any, place: Place) -> Any:  # noqa: ANN401 - YAML
        """The tree as plain data; a text with a reference in it becomes a Secret."""
        if isinstance(node, dict):
            return {key: self._resolve(value, (*place, key)) for key, value in node.items()}
        if isinstance(node, list):
            return [self._resolve(value, (*place, index)) for index, value in enumerate(node)]
        if not isinstance(node, str) or not _REFERENCE.search(node):
            return node
        return Secret(_REFERENCE.sub(lambda found: self._referenced(found, place), node))

    def _referenced(self, found: re.Match[str], place: Place) -> str:
        sort, name = found.groups()
        value = ""
        if sort == "env" and name not in os.environ:
            self._problem(place, f"the environment variable {name} is not set")
        elif sort == "env":
            value = os.environ[name]
        else:
            try:
                value = (self._path.parent / name).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                self._problem(place, f"the file {name} cannot be read: {type(error).__name__}")
        self._resolved.setdefault(place[:2], []).append(Secret(value))
        return value

    def _connectors(
        self, plain: Mapping[str, Any], key: str, table: Mapping[str, registry.Kind]
    ) -> dict[str, Connector]:
        entries = plain.get(key) or {}
        found = {}
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict):
                connector = self._connector((key, name), entry, table)
                if connector is not None:
                    found[name] = connector
        return found

    def _connector(
        self, place: Place, entry: Mapping[str, Any], table: Mapping[str, registry.Kind]
    ) -> Connector | None:
        kind = str(entry.get("kind", ""))
        if kind not in table:
            self._problem((*place, "kind"), f"kind {_not_in(table, kind)}")
            return None
        given = {key: value for key, value in entry.items() if key != "kind"}
        try:
            options = table[kind].options()
            types_of = get_type_hints(options)
            hints = {spelled(one): types_of[one.name] for one in dataclasses.fields(options)}
            for key, value in given.items():
                if isinstance(value, Secret) and Secret not in _parts(hints.get(key)):
                    given[key] = value.reveal()  # a host or a path may come by reference, too
            checked = self._checked(_model(options), given, place)
            if checked is None:
                return None
            values = {key: getattr(checked, key) for key in checked.model_fields_set}
            for field in dataclasses.fields(options):
                if field.metadata.get("path") and field.name in values:
                    values[field.name] = self._absolute(values[field.name])
            made = options(**values)
        except ConfigurationError as error:
            self._problem(place, str(error) + (f" ({error.hint})" if error.hint else ""))
            return None
        stated = _plain(self._tree[place[0]][place[1]])
        del stated["kind"]
        return Connector(kind, made, tuple(self._resolved.get(place, ())), stated)

    def _checked(self, model: type[BaseModel], data: Mapping[str, Any], place: Place) -> Any | None:  # noqa: ANN401 - an instance of the model
        """The data as the model has it; unknown keys are told and left out, so the rest is seen."""
        known = [field.alias or name for name, field in model.model_fields.items()]
        for key in data.keys() - known:
            near = get_close_matches(str(key), known, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            self._problem((*place, key), f"{_dotted((*place, key))}: is unknown; {meant}")
        try:
            return model.model_validate({key: data[key] for key in data if key in known})
        except ValidationError as error:
            for one in error.errors():
                where = (*place, *one["loc"])
                self._problem(where, f"{_dotted(where)}: {_wording(one)}")
            return None

    def _check_names(self, estate: Estate) -> None:
        for index, rule in enumerate(estate.mapping):
            self._check_name(rule.source, estate.sources, "source", ("mapping", index, "source"))
            self._check_name(rule.target, estate.targets, "target", ("mapping", index, "target"))
        for index, engine in enumerate(estate.engines):
            self._check_name(engine, registry.JUDGES, "judge", ("engines", index))
        for code in estate.fail_on.codes:
            self._check_name(code, pages(), "code", ("fail_on", "codes", code))
        for engine, names in estate.catalogs.items():
            for catalog, source in names.items():
                self._check_name(source, estate.sources, "source", ("catalogs", engine, catalog))

    def _check_name(self, name: str, known: Iterable[str], what: str, place: Place) -> None:
        if name not in known:
            near = ", ".join(get_close_matches(name, list(known), 3) or known) or "none"
            self._problem(place, f"{name!r} is no {what}; known: {near}")

    def _problem(self, place: Place, why: str) -> None:
        line, column = self._position(place)
        self._problems.append((line + 1, column + 1, why))

    def _position(self, place: Place) -> tuple[int, int]:
        """Line and column of a place; of the nearest thing above it that has one."""
        node: Any = self._tree
        position = (0, 0)
        for key in place:
            marks: Any = getattr(node, "lc", None)
            try:
                found = marks.key(key) if isinstance(node, dict) else marks.item(key)
                node = node[key]
            except (AttributeError, KeyError, IndexError, TypeError):
                break
            position = found
        return position

    def _absolute(self, path: str) -> str:
        return path if "://" in path else str((self._path.parent / path).resolve())


def _counted_once(sources: Mapping[str, Connector]) -> dict[str, Connector]:
    """The sources, those of a metastore knowing what others read of it as an Iceberg catalog."""
    others = {name: one.options for name, one in sources.items() if one.kind == "iceberg-hive"}
    return {
        name: dataclasses.replace(one, options=one.options.beside(others))
        if one.kind == "hms"
        else one
        for name, one in sources.items()
    }


def configured(options: type[Any]) -> list[dataclasses.Field[Any]]:
    """The options that a configuration may set."""
    return [one for one in dataclasses.fields(options) if one.metadata.get("configured", True)]


def _not_in(table: Mapping[str, registry.Kind], kind: str) -> str:
    """Why a kind cannot stand where it stands."""
    if kind in registry.READ_ONLY:
        refused = ReadOnlyCatalogError()
        return f"{kind!r} is no target: {refused} {refused.hint}"
    what = f"{kind!r} is unknown" if kind else "is missing"
    return f"{what}; known: {', '.join(table)}"


def _plain(node: Any) -> Any:  # noqa: ANN401 - YAML
    """The tree as it stands, without the places that ruamel keeps."""
    if isinstance(node, dict):
        return {str(key): _plain(value) for key, value in node.items()}
    return [_plain(one) for one in node] if isinstance(node, list) else node


def spelled(field: "dataclasses.Field[Any]") -> str:
    """An option's name in `estate.yaml`: the field's, unless it states another system's own."""
    name: str = field.metadata.get("key", field.name)
    return name


def _parts(hint: Any) -> Iterator[Any]:  # noqa: ANN401 - a type
    """A type and all that it is made of."""
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _model(options: type[Any]) -> type[BaseModel]:
    """A strict model of a connector's options."""
    hints = get_type_hints(options)
    fields: dict[str, Any] = {}
    for field in configured(options):
        default = ... if field.default is dataclasses.MISSING else field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        alias = spelled(field) if spelled(field) != field.name else None
        fields[field.name] = (_strict(hints[field.name]), Field(default, alias=alias))
    return create_model(options.__qualname__, __base__=Strict, **fields)


def _strict(hint: Any) -> Any:  # noqa: ANN401 - a type
    """The type with the bounds that every option has: counts from 1, seconds above 0."""
    simple = {Secret: SecretText, int: _COUNT, float: _SECONDS}
    if hint in simple:
        return simple[hint]
    origin, parts = get_origin(hint), tuple(_strict(part) for part in get_args(hint))
    if origin in {Union, types.UnionType}:
        return Union[parts]  # noqa: UP007 - of a tuple made at run time
    return origin[parts] if origin else hint


def _options_schema(kind: str, where: registry.Kind) -> dict[str, Any]:
    schema = _model(where.options()).model_json_schema()
    schema["title"] = kind
    schema["properties"] = {"kind": {"const": kind}, **schema["properties"]}
    schema["required"] = ["kind", *schema.get("required", [])]
    return schema


def _wording(error: Mapping[str, Any]) -> str:
    """Pydantic's message, in our words where its own would not help."""
    match error["type"]:
        case "extra_forbidden":
            return "is unknown"
        case "missing":
            return "is missing"
        case "is_instance_of":
            return "must be a reference, ${env:NAME} or ${file:PATH}: secrets do not stand in files"
        case _:
            return str(error["msg"])


def _dotted(place: Sequence[str | int]) -> str:
    return ".".join(str(key) for key in place)
