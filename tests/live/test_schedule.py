"""What docs/schedule shows is run: the line of cron in cron's bare environment, Airflow's DAG."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import hive_entry
from tests.live.conftest import REPOSITORY, Missing

pytestmark = [pytest.mark.live, pytest.mark.timeout(1800)]
SHOWN = REPOSITORY / "docs" / "schedule"


def estate(folder: Path, *, blocked: str) -> Path:
    """An estate of two views, of which one is blocked."""
    entries = [hive_entry("one", "SELECT 1 AS `id`"), hive_entry("two", "SELECT FROM FROM")]
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    path = folder / "estate.yaml"
    path.write_text(
        "warehouse: warehouse\nsources: {a: {kind: archive, path: a.jsonl}}\nengines: [hive]\n"
        f"fail_on: {{standing: {{blocked: {blocked}}}}}\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize(("blocked", "code"), [("50%", 0), ("49%", 3)])
def test_the_line_of_cron_gates_what_comes_next(tmp_path: Path, blocked: str, code: int) -> None:
    estate(tmp_path, blocked=blocked)
    (line,) = [
        one
        for one in (SHOWN / "belvedere.cron").read_text(encoding="utf-8").splitlines()
        if not one.startswith("#")
    ]
    *when, command = line.split(" ", 5)
    assert len(when) == 5
    for shown, here in (
        ("/opt/belvedere/.venv/bin", str(Path(sys.executable).parent)),
        ("/etc/belvedere", str(tmp_path)),
        ("/var/lib/belvedere", str(tmp_path)),
    ):
        command = command.replace(shown, here)
    java = os.environ.get("JAVA_HOME", "")
    bare = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "JAVA_HOME": java}
    environment = {name: value for name, value in bare.items() if value}
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert (tmp_path / "may-move").exists() == (code == 0)
    assert (tmp_path / "report" / "belvedere.html").is_file()


@pytest.mark.parametrize("whole", [True, False])
def test_airflow_reports_whatever_was_crawled_and_gates_what_comes_after(
    tmp_path: Path, missing: Missing, *, whole: bool
) -> None:
    airflow = os.environ.get("BELVEDERE_AIRFLOW") or shutil.which("airflow")
    if airflow is None:
        missing("no Airflow: install apache-airflow elsewhere and set BELVEDERE_AIRFLOW to it")
    (tmp_path / "dags").mkdir()
    shutil.copy(SHOWN / "belvedere_dag.py", tmp_path / "dags")
    environment = {
        **os.environ,
        "AIRFLOW_HOME": str(tmp_path / "home"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(tmp_path / "dags"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "BELVEDERE": str(Path(sys.executable).parent / "belvedere"),
        "BELVEDERE_ESTATE": str(estate(tmp_path, blocked="50%")),
        "BELVEDERE_REPORT": str(tmp_path / "report"),
    }
    if not whole:
        with (tmp_path / "a.jsonl").open("a", encoding="utf-8") as file:
            file.write('\n{"kind": "hive_table", "payload": 5}')
    for line in (["db", "migrate"], ["dags", "test", "belvedere", "2026-11-21"]):
        done = subprocess.run(
            [airflow, *line], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == (0 if whole or line[0] == "db" else 1), done.stdout + done.stderr
    assert (tmp_path / "report" / "junit.xml").is_file()
    assert (tmp_path / "report" / "belvedere.prom").is_file()
