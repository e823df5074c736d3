"""`make bench`, or `make bench ONLY=name`: the benches, one JSON line each."""

import sys
from collections.abc import Callable
from typing import Final

from tests.benchmarks import (
    analyzing,
    answering,
    backing,
    checking,
    crawling,
    databases,
    defining,
    following,
    iceberg,
    judging,
    loading,
    migrating,
    planning,
    rendering,
    using,
)

BENCHES: Final[dict[str, Callable[[], None]]] = {
    "hms-crawl": crawling.hms_crawl,
    "hms-cpu": crawling.hms_cpu,
    "hms-latency": crawling.hms_latency,
    "hms-database": backing.hms_database,
    "recrawl": backing.recrawl,
    "recrawl-events": following.recrawl_events,
    "iceberg-jdbc": iceberg.iceberg_jdbc,
    "replay": crawling.replay,
    "driver-memory": crawling.driver_memory,
    "pg-vs-reflection": databases.pg_vs_reflection,
    "pg-crawl-vs-reflection": databases.pg_crawl_vs_reflection,
    "pg-relay": databases.pg_relay,
    "maria-vs-reflection": databases.maria_vs_reflection,
    "maria-crawl-vs-reflection": databases.maria_crawl_vs_reflection,
    "load-hms": loading.load_hms,
    "load-paired": loading.load_paired,
    "load-rest": loading.load_rest,
    "load-pg": loading.load_pg,
    "load-maria": loading.load_maria,
    **{f"judge-{engine}": judging.judge(engine) for engine in judging.ENGINES},
    "analyze-flink": planning.analyze_flink,
    "analyze-hive": planning.analyze_hive,
    "analyze-postgresql": defining.analyze_postgresql,
    "analyze-spark": analyzing.analyze_spark,
    "analyze-trino": planning.analyze_trino,
    "assess": judging.assess,
    "reassess": judging.reassess,
    "render": rendering.render,
    "waves": judging.waves,
    "waves-50k": judging.waves_50k,
    "load-pg-rate": migrating.load_pg_rate,
    "plan": migrating.plan,
    "first-answer": answering.first_answer,
    "quality": checking.quality,
    "usage": using.usage,
}


def main() -> None:
    """Run what was asked for, or all."""
    wanted = sys.argv[1:] or list(BENCHES)
    if unknown := [name for name in wanted if name not in BENCHES]:
        sys.exit(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    for name in wanted:
        BENCHES[name]()


if __name__ == "__main__":
    main()
