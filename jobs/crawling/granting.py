"""Who may do what: asked of every source, and kept for what the run has listed."""

from collections.abc import Mapping
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.rights.model import Basis, GranteeKind, Privilege, RightsModel
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.progress import progress
from jobs.console.session import one_partition_each
from jobs.crawling import tables as rows
from jobs.crawling import workers
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse

GRANTED: Final = "grants"
"""The member in the counts of a run; a run of which nobody asked for grants has none."""
_PLACE: Final = ["source", "entity", "key"]
_OWNERS: Final = (("$.audit.creator", "$.owner"), ("$.audit.creatorKind", "$.ownerKind"))
"""Where the models of views and of schemas have an owner, and what that is."""


def write_grants(
    spark: SparkSession, config: RunConfig, warehouse: Warehouse, run_id: str
) -> dict[str, dict[str, int]] | None:
    """Write `grants` of a run whose outcomes are there.

    Returns:
        Source to how many rights and memberships were read, and how many places were not; None:
        nobody asks for them.
    """
    if not config.grants:
        return None
    asked = one_partition_each(spark, config.sources)
    listing, schema = workers.list_grants(config.sources), from_arrow_schema(rows.GRANTS.schema)
    with progress(spark, "asking for grants"), warehouse.sealing(rows.GRANTING, run_id):
        answers = asked.mapInArrow(Carried(listing), schema).persist()
        outcomes = warehouse.frame(spark, rows.OUTCOMES, run_id)
        warehouse.write(rows.GRANTS, run_id, _relevant(answers, outcomes))
        answers.unpersist()
    counted = warehouse.count_rows(rows.GRANTS, run_id, ("source", "entity", "code"))
    counts: dict[str, dict[str, int]] = {
        name: {"rights": 0, "memberships": 0, "unread": 0} for name in config.sources
    }
    for (source, entity, code), number in counted.items():
        if code is not None:
            counts[str(source)]["unread"] += number
        elif entity != "model":
            counts[str(source)]["memberships" if entity == "role" else "rights"] += number
    _say(warehouse, run_id, counts)
    return counts


def _relevant(answers: DataFrame, outcomes: DataFrame) -> DataFrame:
    """What is about views and namespaces of the run, or about no object; and the owners in Hive."""
    objects = outcomes.where("outcome <> 'skipped'").select(*_PLACE).distinct()
    placed = "entity in ('object', 'namespace') and code is null"
    about = answers.where(placed).join(objects, _PLACE, "left_semi")
    rest = answers.where(f"not ({placed})")
    hive = answers.where(f"entity = 'model' and word = '{RightsModel.HIVE}'").select("source")
    owned = outcomes.where("outcome in ('view', 'schema') and coalesce(owner, '') <> ''")
    # the column `owner` is for people: a user may be called "role:x"
    owner, kind = (_model_member(*members) for members in _OWNERS)
    owners = owned.join(hive, "source", "left_semi").select(
        *("source", "entity", "namespace", "name", "key"),
        owner.alias("grantee"),
        f.lower(f.coalesce(kind, f.lit(GranteeKind.USER.value))).alias("grantee_kind"),
        f.lit(Privilege.OWN.value).alias("privilege"),
        f.lit("owner").alias("word"),
        f.lit(Basis.OWNER.value).alias("basis"),
        f.lit(True).alias("grantable"),
    )
    columns = rows.GRANTS.names
    grants = about.select(columns).unionByName(rest.select(columns))
    return grants.unionByName(owners, allowMissingColumns=True).select(columns)


def _model_member(of_view: str, of_schema: str) -> Column:
    member = f.when(f.col("outcome") == "view", f.get_json_object("model", of_view))
    return member.otherwise(f.get_json_object("model", of_schema))


def _say(warehouse: Warehouse, run_id: str, counts: Mapping[str, Mapping[str, int]]) -> None:
    """What was read, and what was not with the reason of each."""
    for name, by_kind in counts.items():
        if by_kind["rights"] or by_kind["memberships"]:
            read = (
                f"{by_kind['rights']:,} rights and {by_kind['memberships']:,} memberships of roles"
            )
            command.say(f"{name}: {read}")
    bases = warehouse.count_rows(rows.GRANTS, run_id, ("source", "basis"))
    for name in counts:
        if number := bases.get((name, Basis.UNDECIDED.value)):
            why = "leave open for whom or what they hold: see `belvedere rights`"
            command.say(f"{name}: {number:,} rights {why}")
    unread = warehouse.count_rows(rows.GRANTS, run_id, ("source", "namespace", "code", "message"))
    for source, namespace, code, message in unread:
        if code is not None:
            where = ".".join((str(source), *(namespace or ())))
            command.say(f"{where}: who may read its views is not known: {code}: {message}")
