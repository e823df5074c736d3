"""What is wrong with a value, in plain English: pydantic's errors, and names that are near."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Any, Final

from pydantic_core import ErrorDetails

from connectors.clients.credentials import Secret
from discovery import ages, tags
from discovery.pacing import windows
from jobs.configuration.gates import PERCENT

_LONGEST: Final = 40  # characters of a value that is shown
_ALIASES: Final = {
    "hive": "hms",
    "hive-metastore": "hms",
    "metastore": "hms",
    "thrift": "hms",
    "postgres": "postgresql",
    "pg": "postgresql",
    "aws-glue": "glue",
    "rest": "iceberg-rest",
    "nessie": "iceberg-rest",
    "polaris": "iceberg-rest",
    "iceberg": "iceberg-rest",
    "files": "archive",
    "oracle": "sqlalchemy",
    "mssql": "sqlalchemy",
}
_PATTERNS: Final = {
    ages.PATTERN: "an age such as 36h, 90d or 12w",
    tags.TEXT: "a text with {wave} behind something, once, and no other brace",
    windows.PATTERN: "a part of the day such as 22:00-05:00",
    PERCENT: "a percentage from 0% to 100%",
    r"^https?://": "a URL that begins with http:// or https://",
    r"^[^\s<>@,;]+@[^\s<>@,;]+$": "one address, such as someone@example.org",
    "^expect_[a-z_]+$": "the name of an expectation, such as expect_column_values_to_not_be_null",
}
_MUST_BE: Final = {
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "dict_type": "a map, `key: value`",
    "mapping_type": "a map, `key: value`",
    "model_type": "a map, `key: value`",
    "model_attributes_type": "a map, `key: value`",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "list_type": "a list, such as [one, two]",
    "tuple_type": "a list, such as [one, two]",
    "string_type": "a text",
    "none_required": "empty",
}
_BOUNDS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "greater_than": lambda context: f"more than {context['gt']:g}",
    "greater_than_equal": lambda context: f"{context['ge']:g} or more",
    "less_than": lambda context: f"less than {context['lt']:g}",
    "less_than_equal": lambda context: f"{context['le']:g} or less",
    "string_pattern_mismatch": lambda context: _PATTERNS.get(
        context["pattern"], f"a text of the form {context['pattern']}"
    ),
}
_WHOLE: Final = {
    "missing": "is missing",
    "extra_forbidden": "is unknown",
    "is_instance_of": "must be a reference, ${env:NAME} or ${file:PATH}: secrets do not stand in "
    "files",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
}


def nearest_name(name: object, known: Iterable[str]) -> str | None:
    """The one of the known names that somebody is likely to have meant; None: none is near."""
    names, wanted = [str(word) for word in known], str(name).casefold().replace("_", "-")
    if _ALIASES.get(wanted) in names:
        return _ALIASES[wanted]
    folded = {word.casefold().replace("_", "-"): word for word in reversed(names)}
    near = get_close_matches(wanted, folded, 1)
    return folded[near[0]] if near else None


def suggestion(name: object, known: Iterable[str]) -> str:
    """What to write instead of an unknown name: the nearest, or all that there are."""
    names = [str(word) for word in known]
    near = nearest_name(name, names)
    return f"did you mean {near!r}?" if near else f"known: {', '.join(names) or 'none'}"


def sentence(errors: Sequence[ErrorDetails]) -> str:
    """What is wrong with one value, as it stands after the value's place.

    Args:
        errors: Pydantic's, all of this value: one for each kind of value that it might have been.
    """
    first = errors[0]
    kind = first["type"]
    if kind in _WHOLE:
        return _WHOLE[kind]
    if kind == "value_error":
        return str(first["ctx"]["error"]) if "ctx" in first else first["msg"]
    if kind in {"literal_error", "enum"}:
        return f"is {_value_text(first['input'])}; {_choice(first)}"
    every = dict.fromkeys(filter(None, map(_expected, errors)))
    wanted = [demand for demand in every if demand != _MUST_BE["string_type"]] or list(every)
    if not wanted:
        return first["msg"]
    return f"must be {', or '.join(wanted)}, and is {_value_text(first['input'])}"


def _expected(error: ErrorDetails) -> str:
    """What a value would have to be; empty where pydantic's own words are all there is."""
    bound = _BOUNDS.get(error["type"])
    return bound(error.get("ctx", {})) if bound else _MUST_BE.get(error["type"], "")


def _choice(error: ErrorDetails) -> str:
    near = nearest_name(error["input"], choices(error))
    expected = error.get("ctx", {}).get("expected", "")
    return f"did you mean {near!r}?" if near else f"it may be {expected}"


def choices(error: ErrorDetails) -> list[str]:
    """The values that there are to choose from; none, where the error is not about a choice."""
    expected = error.get("ctx", {}).get("expected", "")
    return [word.strip().strip("'") for word in expected.replace(" or ", ", ").split(",") if word]


def _value_text(value: object) -> str:
    """A value of the file, short."""
    match value:
        case Secret():
            return "a reference"
        case None:
            return "empty"
        case dict():
            return "a map"
        case list() | tuple():
            return "a list"
        case bool():
            return str(value).lower()
        case date():
            return value.isoformat()
    text = repr(value)
    if len(text) <= _LONGEST:
        return text
    begin, mark, _ = text[:_LONGEST].partition("://")
    return f"{begin}{mark}…"  # half of a secret in a URL would not be known as one
