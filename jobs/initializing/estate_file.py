"""A first `estate.yaml`, with comments that say what else it may have."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from jobs.initializing.sources import FoundSource

_PLAIN: Final = re.compile(r"[A-Za-z/$][\w./:${}@*+-]*")
_WORDS: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off"})
_HEAD: Final = """\
# What is crawled, where it goes, and where the runs are kept. Every key, with its meaning:
# docs/estate.schema.json; the options of each source and target: docs/connectors.
# Secrets stand here only as ${env:NAME} or ${file:PATH}; paths are relative to this file.

warehouse: warehouse   # a folder, or a URI that Spark can write: each run is kept there
archive: true          # keep what sources say, too, for a replay without them

sources:
"""
_TAIL: Final = """
# Where views go. Without a target, runs are crawled, judged and reported, and nothing is planned.
# targets:
#   gravitino:
#     kind: gravitino-store
#     url: postgresql://db.example:5432/gravitino
#     user: gravitino
#     password: ${env:GRAVITINO_PASSWORD}
#     metalake: prod
#     catalog: lake
#     provider: hive
#     accept_unserved: true   # rows: no server of 1.3 shows them as views

# Whose parsers judge the views; left out, all of them.
# engines: [spark, hive, trino]

# What is over ends with exit code 3 or 4; a number, or a part of all such as 5%.
fail_on:
  unread: 0
  undecoded: 0
"""


def estate_text(sources: Iterable[FoundSource]) -> str:
    """The file of some sources."""
    return _HEAD + "".join(map(_source_text, sources)) + _TAIL


def named_apart(sources: Iterable[FoundSource]) -> dict[str, FoundSource]:
    """The sources by names of which none is there twice; what is there twice itself is left out.

    What differs in how files are read only is there twice, too: the properties of both are taken.
    """
    named: dict[str, FoundSource] = {}
    for source in sources:
        same = next((name for name, other in named.items() if _is_same(source, other)), None)
        if same is not None:
            named[same] = _with_files_of(named[same], source)
            continue
        number, name = 2, source.name
        while name in named:
            name, number = f"{source.name}_{number}", number + 1
        named[name] = replace(source, name=name)
    return named


def _is_same(source: FoundSource, other: FoundSource) -> bool:
    first, second = ({**of.options, "io": None} for of in (source, other))
    return (source.kind, first) == (other.kind, second)


def _with_files_of(source: FoundSource, other: FoundSource) -> FoundSource:
    """A source that also has the properties by which another one reads files."""
    io = [of.options["io"] for of in (other, source) if "io" in of.options]
    properties = {
        key: value for each in io if isinstance(each, Mapping) for key, value in each.items()
    }
    if not properties:
        return source
    variables = tuple(dict.fromkeys((*source.variables, *other.variables)))
    return replace(source, options={**source.options, "io": properties}, variables=variables)


def _source_text(source: FoundSource) -> str:
    lines = [
        f"  {source.name}:",
        f"    kind: {source.kind}",
        *_option_lines(source.options, "    "),
    ]
    notes = [f"    # {note}" for note in source.notes]
    example = (
        '    # exclude: [scratch, "*.tmp_*"]   # globs of what to leave out; include: what to keep'
    )
    return "\n".join([*lines, *notes, example]) + "\n"


def _option_lines(options: Mapping[str, object], indent: str) -> Iterator[str]:
    for key, value in options.items():
        if isinstance(value, Mapping):
            yield f"{indent}{_text(key)}:"
            yield from _option_lines(value, f"{indent}  ")
        else:
            yield f"{indent}{_text(key)}: {_text(value)}"


def _text(value: object) -> str:
    """A value as YAML has it; quoted as JSON, which YAML takes, where it is no plain word."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
