"""A file of SQLite behind a URL: it is named by an absolute path, and opened in a stated mode.

Without one SQLite makes a file that is not there, which would be a source without views.
"""

from pathlib import Path

from sqlalchemy import URL

from discovery.errors import ConfigurationError

_URI = "file:"


def check_path(url: URL) -> None:
    """Refuse a path that leads elsewhere wherever we were started.

    Raises:
        ConfigurationError: The file is named by no absolute path.
    """
    if not Path(url.database or "").is_absolute():
        hint = "sqlite:////path/to/catalog.db has four slashes"
        raise ConfigurationError(f"{url.render_as_string()!r} names no absolute path", hint=hint)


def opened(url: URL, mode: str) -> URL:
    """The URL with which the driver opens a file.

    Args:
        url: Its database is a path, or a URI of SQLite's own already.
        mode: `ro`: it is only read; `rwc`: it is made if it is not there.
    """
    database = url.database or ""
    place = database if database.startswith(_URI) else Path(database).as_uri()
    return url.set(database=place, query={**url.query, "mode": mode, "uri": "true"})
