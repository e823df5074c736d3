"""What targets answered when they were tried, in a file beside the configuration."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from discovery.errors import ConfigurationError
from discovery.exercises import ExerciseAnswer
from discovery.migration.heeding import Tried
from jobs.configuration.user_files import read_user_text
from jobs.warehouse.placing import guard_folder, replace_file

_BYTES: Final = 64 * 1024 * 1024


def keep(
    file: Path, target: str, server: str, settings: str, answers: Sequence[ExerciseAnswer]
) -> Path:
    """Write what a target answered, with what others have; the file.

    Args:
        file: The configuration's.
        target: Its name there.
        server: Its product and version, in its own words.
        settings: Digest of what the configuration says of it.
        answers: What it answered.

    Raises:
        ConfigurationError: The file cannot be read or written.
    """
    place = _place(file)
    date = datetime.now(UTC).isoformat(timespec="seconds")
    head = {"server": server, "settings": settings, "date": date}
    own = {target: {**head, "answers": [answer.to_json() for answer in answers]}}
    try:
        with guard_folder(place.parent):  # another target may be tried at the same time
            content = json.dumps({**_read(place), **own}, indent=1, ensure_ascii=False)
            replace_file(place, f"{content}\n".encode())
    except OSError as error:
        hint = "make its folder writable"
        raise ConfigurationError(f"{place}: {error.strerror}", hint=hint) from error
    return place


def read_answers(file: Path) -> dict[str, Tried]:
    """The answers that are kept, by target.

    Args:
        file: The configuration's.

    Raises:
        ConfigurationError: The file cannot be read, or is none of ours.
    """
    place = _place(file)
    tried = {}
    for target, entry in _read(place).items():
        try:
            tried[target] = Tried.of_json(entry)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"{place}: what it has of {target} is no answer of a target: {error}"
            hint = f"try it anew: belvedere doctor --exercise {target}"
            raise ConfigurationError(why, hint=hint) from error
    return tried


def _place(file: Path) -> Path:
    return file.with_name(f"{file.stem}.exercised.json")


def _read(place: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(read_user_text(place, _BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{place}: {error}", hint="move it away") from error
    if not isinstance(content, dict):
        raise ConfigurationError(f"{place}: is no object of JSON", hint="move it away")
    return content
