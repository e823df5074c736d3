"""Java's classes as Spark's driver has loaded them behind a turn, for the Javas that tests start.

Half of what a short command costs is Java reading classes out of 280 archives. Java maps a file of
classes into its memory instead (JEP 350), if another Java with the same jars has written it when it
ended. Usage: `python -m tests.java_classes FILE`; Java ignores a file that it cannot use.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.console.session import spark_session
from jobs.crawl import crawl_estate
from jobs.plan import Paper, plan_run
from tests.conftest import QUICK_JAVA, QUICK_SPARK, estate_in, hive_entry


def write(file: Path) -> None:
    """Write a file of the classes of a turn, from the crawl to the apply.

    Args:
        file: Its absolute path.
    """
    java = f"{QUICK_JAVA} -XX:ArchiveClassesAtExit={file} -Xlog:cds=off -Xlog:cds+dynamic=off"
    spark = spark_session("classes", {**QUICK_SPARK, "spark.driver.extraJavaOptions": java})
    with TemporaryDirectory(prefix="belvedere-classes-") as name:
        folder = Path(name)
        entries = folder / "a.jsonl"
        entry = hive_entry("v", "select `t`.`id` from `rel`.`t`")
        entries.write_text(json.dumps({"kind": "hive_table", "payload": entry}), encoding="utf-8")
        target = {"kind": "archive", "path": str(folder / "target")}
        source = {"kind": "archive", "path": str(entries)}
        config = estate_in(folder)({"a": source}, targets={"t": target}, engines=[])
        run_id = crawl_estate(spark, config).run_id
        assess_run(spark, config, run_id)
        plan_run(spark, config, run_id, Paper(folder / "plan", folder / "estate.yaml"))
        apply_plan(spark, config, folder / "plan", "nobody")
    spark.stop()


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve())
