"""What docs/schedule shows is what each scheduler takes, and reports before it fails."""

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from jobs import cli

SHOWN = Path(__file__).parents[2] / "docs" / "schedule"
UNITS = ("belvedere.service", "belvedere.timer")
BELVEDERE = "/opt/belvedere/.venv/bin/belvedere"


def unit(name: str) -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(interpolation=None, strict=True)
    parsed.optionxform = str  # type: ignore[assignment,method-assign] # systemd minds the case
    parsed.read_string((SHOWN / name).read_text(encoding="utf-8"))
    return parsed


def cron() -> list[str]:
    lines = (SHOWN / "belvedere.cron").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("there is no systemd-analyze here")
    there = shutil.which("true") or "/bin/true"  # systemd looks whether it is
    for name in UNITS:
        text = (SHOWN / name).read_text(encoding="utf-8").replace(BELVEDERE, there)
        (tmp_path / name).write_text(text, encoding="utf-8")
    units = [str(tmp_path / name) for name in UNITS]
    done = subprocess.run([verify, "verify", *units], capture_output=True, text=True, check=False)
    if "Failed to" in done.stderr and "belvedere" not in done.stderr:
        pytest.skip(done.stderr)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_timer_starts_the_service_and_the_marker_stands_only_for_a_good_end() -> None:
    service, timer = unit("belvedere.service")["Service"], unit("belvedere.timer")
    assert timer["Timer"]["OnCalendar"].endswith("05:00:00")
    assert timer["Install"]["WantedBy"] == "timers.target"
    assert service["Type"] == "oneshot", "what comes after it waits for its end"
    marker = service["ExecStartPost"].split()[1]
    assert service["ExecStartPre"].split()[-1] == marker
    assert marker.startswith(service["WorkingDirectory"])


def test_each_runs_all_stages_in_one_command_that_reports_whatever_came_of_them() -> None:
    (line,) = cron()
    shown = [unit("belvedere.service")["Service"]["ExecStart"], line.partition("; ")[2]]
    for one in shown:
        program, command, *rest = one.partition(" && ")[0].split()
        assert program == BELVEDERE
        assert command == "run"
        assert command in cli.COMMANDS
        assert rest[::2] == ["--config", "--out"]


def test_the_job_of_kubernetes_is_one_pod_a_night_that_nobody_starts_again() -> None:
    claim, job = YAML(typ="safe").load_all(SHOWN / "belvedere-cronjob.yaml")
    assert job["spec"]["concurrencyPolicy"] == "Forbid"
    work = job["spec"]["jobTemplate"]["spec"]
    assert work["backoffLimit"] == 0, "findings are an exit code, too"
    pod = work["template"]["spec"]
    assert pod["restartPolicy"] == "Never"
    (container,) = pod["containers"]
    program, command, *rest = container["args"]
    assert (program, command, rest[::2]) == ("belvedere", "run", ["--config", "--out"])
    places = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert rest[1].startswith(places["estate"])
    assert rest[3].startswith(places["warehouse"])
    of_claims = [one["persistentVolumeClaim"] for one in pod["volumes"] if "secret" not in one]
    assert of_claims == [{"claimName": claim["metadata"]["name"]}]


def test_the_line_of_cron_removes_the_marker_of_the_night_before() -> None:
    (line,) = cron()
    first, _, rest = line.split(" ", 5)[5].partition("; ")
    assert first.split()[:2] == ["rm", "-f"]
    assert rest.endswith(f" && touch {first.split()[2]}")
    assert "%" not in line, "cron takes it for the end of a line"
