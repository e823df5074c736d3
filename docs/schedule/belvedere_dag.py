"""Airflow: a nightly crawl that gates what comes after it. Copy it into the DAGs folder."""

import os
from datetime import UTC, datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

BELVEDERE = os.environ.get("BELVEDERE", "/opt/belvedere/.venv/bin/belvedere")
ESTATE = os.environ.get("BELVEDERE_ESTATE", "/etc/belvedere/estate.yaml")
RUN = "airflow-{{ ts_nodash }}"
REPORT = os.environ.get("BELVEDERE_REPORT", "/var/lib/belvedere/report")

with DAG(
    "belvedere",
    schedule="0 5 * * *",
    start_date=datetime(2026, 11, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
) as dag:
    # A run that is committed is not crawled again, and one that was interrupted goes on where it
    # was: a retry does what is left of it.
    # Exit code 3 is over a threshold of fail_on, 4 a partial crawl: both fail their task. What was
    # crawled is judged and reported all the same, and `may_move` holds back what comes after it.
    crawl = BashOperator(
        task_id="crawl",
        bash_command=f"{BELVEDERE} crawl --config {ESTATE} --run-id {RUN}",
    )
    assess = BashOperator(
        task_id="assess",
        bash_command=f"{BELVEDERE} assess --config {ESTATE} --run-id {RUN}",
        trigger_rule="all_done",
    )
    quality = BashOperator(
        task_id="quality",
        bash_command=f"{BELVEDERE} quality --config {ESTATE} --run-id {RUN}",
        trigger_rule="all_done",
    )
    report = BashOperator(
        task_id="report",
        bash_command=(
            f"{BELVEDERE} report --config {ESTATE} --run-id {RUN} "
            f"--out {REPORT} --format html --format junit --format prometheus"
        ),
        trigger_rule="all_done",
    )
    may_move = EmptyOperator(task_id="may_move")
    crawl >> assess >> quality >> report
    [crawl, assess, quality, report] >> may_move
