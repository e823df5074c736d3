"""Airflow: a nightly crawl that gates what comes after it. Copy it into the DAGs folder."""

import os
from datetime import UTC, datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

BELVEDERE = os.environ.get("BELVEDERE", "/opt/belvedere/.venv/bin/belvedere")
ESTATE = os.environ.get("BELVEDERE_ESTATE", "/etc/belvedere/estate.yaml")
REPORT = os.environ.get("BELVEDERE_REPORT", "/var/lib/belvedere/report")

with DAG(
    "belvedere",
    schedule="0 5 * * *",
    start_date=datetime(2026, 11, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
) as dag:
    # A run that is committed is not crawled again, so a retry goes on with its reports.
    # Exit code 3 is over a threshold of fail_on, 4 a partial crawl: both fail the task.
    crawl = BashOperator(
        task_id="crawl",
        bash_command=f"{BELVEDERE} crawl --config {ESTATE} --run-id airflow-{{{{ ts_nodash }}}}",
    )
    assess = BashOperator(
        task_id="assess",
        bash_command=f"{BELVEDERE} assess --config {ESTATE} --run-id airflow-{{{{ ts_nodash }}}}",
    )
    gate = BashOperator(
        task_id="gate",
        bash_command=(
            f"{BELVEDERE} report --config {ESTATE} --run-id airflow-{{{{ ts_nodash }}}} "
            f"--out {REPORT} --format html --format junit --format prometheus"
        ),
    )
    crawl >> assess >> gate
