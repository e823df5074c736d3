"""What live tests share: what `make dist` built, and what is fetched for them."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest
from pyspark.sql import SparkSession

from jobs import demo
from jobs.embedded.estate import fill_database, fill_metastore
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.live import fetched, paimon_server, trino_server

REPOSITORY = Path(__file__).parents[2]
ICEBERG = Path(__file__).parent / "iceberg"
SQLITE = "sqlite-jdbc-3.49.1.0.jar"  # beside the REST server's jars

Missing = Callable[[str], NoReturn]


@pytest.fixture(scope="session")
def missing() -> Missing:
    """Called where a test lacks what it needs: fails in CI, skips with the reason elsewhere."""

    def end(why: str) -> NoReturn:
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)

    return end


@pytest.fixture(scope="session")
def dist(missing: Missing) -> Path:
    """The folder of the wheel, the zip and the environment archive."""
    folder = REPOSITORY / "dist"
    if not (folder / "environment.tar.gz").exists():
        missing("nothing is built: say make dist")
    return folder


@pytest.fixture(scope="session")
def estate_folder(
    tmp_path_factory: pytest.TempPathFactory,
    dist: Path,
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    postgresql: EmbeddedPostgreSQL,
) -> Path:
    """Where one submits: what was built, the scripts, and the estate of the demo."""
    place = tmp_path_factory.mktemp("submitted")
    (place / "dist").symlink_to(dist)
    shutil.copytree(REPOSITORY / "jobs", place / "jobs")
    fill_metastore(spark, metastore)
    fill_database(postgresql)
    (place / "iceberg").mkdir()
    estate = demo._estate_text(
        place, metastore, postgresql, demo._fill_iceberg_catalog(place / "source")
    )
    (place / "estate.yaml").write_text(estate, encoding="utf-8")
    return place


@pytest.fixture(scope="session")
def gravitino_client() -> Path:
    """A Python of its own that has Gravitino's official client, fetched once.

    The client pins 15 packages, among them developers' tools and clouds' file systems, which it
    imports nowhere that we go: left out, and with them 350 MB.
    """
    cache = os.environ.get("BELVEDERE_LIVE_CACHE") or f"{tempfile.gettempdir()}/belvedere-live"
    folder = Path(cache) / "gravitino-1.3.1"
    needed = "cachetools==7.0.1 dataclasses-json==0.6.7 fsspec==2026.2.0 readerwriterlock==1.0.9"
    if not (folder / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(folder / "bin" / "pip"), "install", "--quiet"]
        subprocess.run([*pip, *needed.split()], check=True)
        subprocess.run([*pip, "--no-deps", "apache-gravitino==1.3.1"], check=True)
        (folder / "made").touch()
    return folder / "bin" / "python"


@pytest.fixture(scope="session")
def paimon_jars(
    tmp_path_factory: pytest.TempPathFactory, missing: Missing
) -> paimon_server.PaimonJars:
    """Paimon with its REST test server, and our programs that use it."""
    maven, javac, java = (shutil.which(one) or missing(f"no {one}") for one in _JAVA)
    jars = fetched.jars_of(maven, paimon_server.HERE / "pom.xml")
    return paimon_server.compiled(javac, java, jars, tmp_path_factory.mktemp("paimon"))


_JAVA = ("mvn", "javac", "java")


@dataclass
class Server:
    """Iceberg's REST test server.

    Attributes:
        uri: Its address.
        folder: Of the JDBC catalog `prod` behind it: `catalog.db`, and its `warehouse`.
    """

    uri: str
    folder: Path

    @property
    def database(self) -> str:
        """The URL of the JDBC catalog."""
        return f"sqlite:///{self.folder}/catalog.db"


@pytest.fixture(scope="session")
def maven(missing: Missing) -> str:
    """Maven's program."""
    return shutil.which("mvn") or missing("no mvn: apt-get install maven")


@dataclass(frozen=True)
class TrinoHome:
    """Trino unpacked, with SQLite's driver for JDBC catalogs, and the home of a Java for it."""

    home: Path
    java: Path


@pytest.fixture(scope="session")
def trino_home(missing: Missing, maven: str) -> TrinoHome:
    """Trino 476, fetched once."""
    java = trino_server.java_home() or missing(f"no Java {trino_server.JAVA}, which Trino wants")
    try:
        home = fetched.trino(maven)
    except subprocess.CalledProcessError as error:
        missing(f"Maven did not get Trino: {error.stdout[-500:]}")
    driver = home / "plugin" / "iceberg" / SQLITE
    if not driver.exists():
        shutil.copyfile(fetched.jars_of(maven, ICEBERG / "pom.xml") / SQLITE, driver)
    return TrinoHome(home, java)


@pytest.fixture(scope="session")
def pyspark_bin() -> Path:
    """The programs of the newest PySpark that has an Iceberg runtime."""
    return fetched.pyspark()


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, missing: Missing, maven: str
) -> Iterator[Server]:
    """Iceberg's REST test server over a JDBC catalog on SQLite, empty."""
    javac, java = (shutil.which(name) or missing(f"no {name}") for name in ("javac", "java"))
    folder = tmp_path_factory.mktemp("rest")
    classpath = f"{folder}:{fetched.jars_of(maven, ICEBERG / 'pom.xml')}/*"
    program = ICEBERG / "IcebergRest.java"
    subprocess.run([javac, "-cp", classpath, "-d", folder, program], check=True)
    command = [java, "-Xmx400m", "-cp", classpath, "IcebergRest", str(folder)]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout is not None
        ready = process.stdout.readline()
        assert ready.startswith("READY "), (folder / "log").read_text()
        yield Server(ready.removeprefix("READY ").strip().rstrip("/"), folder)
        process.terminate()
