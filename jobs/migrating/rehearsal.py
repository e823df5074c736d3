"""What a rehearsal needs beside the stages: a warehouse of its own, and what its copies are."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from discovery.errors import ConfigurationError
from discovery.model import Schema
from discovery.ports import ViewStore
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.configuration.shared_places import sources_written_into
from jobs.console import command
from jobs.console.lending import targets_logged_in
from jobs.migrating import probes
from jobs.migrating.plan_folder import Destination, PlanHead
from jobs.migrating.probes import Probes
from jobs.migrating.tables import CHANGES
from jobs.warehouse.locks import FOLDER, hold_lock, remove_dead
from jobs.warehouse.runs import RUNS
from jobs.warehouse.storage import root_of, storage_of
from jobs.warehouse.warehouse import Warehouse

_COMPARED: Final = ("target", "key", "action", "fingerprint", "expected")
_BESIDE: Final[Mapping[str, Callable[[Destination], object]]] = {
    "namespaces": lambda target: (target.namespaces, target.edits),
    "functions": lambda target: target.functions,
    "rights": lambda target: target.rights.changes,
    "tags": lambda target: target.tags.changes,
}
_CLAIM: Final = "rehearsal"
"""File among the notes of rehearsals: keeps their folder where a folder is but what is in it."""
_LAST: Final = RUNS.name
"""Makes a run visible, so it is copied behind all else of it."""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """In what two plans differ.

    Attributes:
        number: In how many views.
        example: One of them.
        beside: In what else, such as `the namespaces of t`.
    """

    number: int = 0
    example: str = ""
    beside: tuple[str, ...] = ()


ALIKE: Final = Otherwise()
"""In nothing."""


def at_copies(config: RunConfig) -> RunConfig:
    """The same with the copies as its targets, and a warehouse of its own beside that one.

    What an engine is said to show of a target shows nothing of its copy.
    """
    return replace(
        config,
        warehouse=f"{config.warehouse.rstrip('/')}-rehearsal",
        targets={name: connector for name, (connector, _) in config.copies.items()},
        terms={name: terms for name, (_, terms) in config.copies.items()},
        running={
            name: replace(engine, options=replace(engine.options, targets=engine.options.copies))
            for name, engine in config.running.items()
        },
    )


def insist_on_copies(config: RunConfig) -> None:
    """Every target has a copy, which is not configured as the target is, nor what a source reads.

    Raises:
        ConfigurationError: One has none, or is its own copy, or a source is; or the warehouse has
            no folder, so that what is beside it is another bucket or server.
    """
    if not config.targets:
        raise ConfigurationError("the configuration has no targets", hint="name one in `targets`")
    if not _has_folder(config.warehouse):
        hint = "write `warehouse` with a folder: a rehearsal has a warehouse of its own beside it"
        raise ConfigurationError(f"the warehouse {config.warehouse} is no folder", hint=hint)
    run_config = at_copies(config)
    for name in config.targets:
        if name not in config.copies:
            hint = f"say in `targets: {name}: rehearsal` what is otherwise at a copy of it"
            raise ConfigurationError(f"{name} has no copy to rehearse on", hint=hint)
        if identity.of_target(config, name) == identity.of_target(run_config, name):
            raise _no_copy(name, f"{name} itself")
    for name, source in sources_written_into(run_config):
        raise _no_copy(name, f"what the source {source} reads")


def _has_folder(warehouse: str) -> bool:
    """Whether a path, or a URI, leads to more than the root of a file system."""
    _, is_uri, rest = warehouse.partition("://")
    return bool((rest.partition("/")[2] if is_uri else warehouse).strip("/"))


def insist_on_engines(rehearsal: RunConfig) -> None:
    """An engine can be asked at one of the copies.

    Raises:
        ConfigurationError: None is said to show any.
    """
    if not any(engine.options.targets for engine in rehearsal.running.values()):
        target = next(iter(rehearsal.targets))
        hint = (
            f"write engines: {{trino: {{url: https://trino:8443, copies: {{CATALOG: {target}}}}}}}"
        )
        raise ConfigurationError("no engine is said to show the copy of a target", hint=hint)


def insist_on_other_places(spark: SparkSession, config: RunConfig, rehearsal: RunConfig) -> None:
    """A namespace that is made at a copy is not to be seen at any target; it is removed again.

    So is one that an earlier rehearsal was killed over.

    Raises:
        ConfigurationError: It is: both are one place. Or it cannot be made.
        BelvedereError: One of them does not answer.
    """
    noted = Probes(rehearsal, spark)
    noted.tell_unreachable()
    with (
        targets_logged_in(config) as targets,
        targets_logged_in(rehearsal) as copies,
        ExitStack() as opened,
    ):
        stores = {
            name: opened.enter_context(target.store()) for name, target in targets.targets.items()
        }
        for name, copy in copies.targets.items():
            with copy.store() as copy_store:
                noted.remove_left(name, copy_store)
                showing = _find_showing(name, stores, copy_store, noted)
            if showing:
                is_own = showing == name
                raise _no_copy(name, f"{name} itself" if is_own else f"the target {showing}")


def _find_showing(
    name: str, targets: Mapping[str, ViewStore], copy: ViewStore, noted: Probes
) -> str:
    """The target that shows what is made at a copy; empty: none does."""
    with noted.note(name) as levels:
        if levels not in copy.prepare([Schema(levels=levels)]):
            hint = "a rehearsal makes one, to see that the copy is not the target itself"
            raise ConfigurationError(f"no namespace can be made at the copy of {name}", hint=hint)
        try:
            showing = (
                target
                for target, store in targets.items()
                if any(namespace.levels == levels for namespace in store.namespaces([levels]))
            )
            return next(showing, "")
        finally:
            if copy.remove([levels]):
                command.say(f"{levels[0]} stays at the copy of {name}: remove it there")


def _no_copy(name: str, what: str) -> ConfigurationError:
    hint = "make a copy of the target, such as of its database, and name that"
    return ConfigurationError(f"the copy of {name} is {what}", hint=hint)


def claim_warehouse(spark: SparkSession, rehearsal: RunConfig) -> None:
    """Note that the warehouse of the rehearsal is one, as it is emptied, and taken back from.

    Raises:
        ConfigurationError: Something is there that no rehearsal has made.
        OSError: It cannot be noted.
    """
    place = root_of(rehearsal.warehouse)
    storage = storage_of(place, spark)
    folders = {*storage.folders(place)} - {FOLDER}
    if folders and probes.FOLDER not in folders:
        why = f"{rehearsal.warehouse} is no rehearsal's, and a rehearsal would empty it"
        raise ConfigurationError(
            why,
            hint="if an earlier belvedere rehearsed there, remove it; else name another warehouse",
        )
    storage.replace(f"{place}/{probes.FOLDER}/{_CLAIM}", b"{}")


def begin(spark: SparkSession, config: RunConfig, rehearsal: RunConfig, run_id: str) -> None:
    """Empty the warehouse of the rehearsal, and copy a run into it.

    Raises:
        ConfigurationError: There is no such run.
        EvidenceError: It is not whole.
        LockedError: Another process is at work on it.
        OSError: It could not be copied.
    """
    Warehouse(config.warehouse, spark).run(run_id)
    place, source = (
        run_config.warehouse.removeprefix("file://") for run_config in (rehearsal, config)
    )
    storage = storage_of(place, spark)
    for folder in storage.folders(place):
        if folder not in {FOLDER, probes.FOLDER}:
            storage.clear(f"{place}/{folder}")
    remove_dead(place, spark)
    folder_of_run = f"run_id={run_id}"
    with hold_lock(config.warehouse, f"run {run_id}", "rehearse", spark):  # all of one moment
        Warehouse(config.warehouse, spark).run(run_id)
        for folder in sorted(storage.folders(source), key=lambda name: (name == _LAST, name)):
            if folder_of_run in storage.folders(f"{source}/{folder}"):
                of_run = f"{folder}/{folder_of_run}"
                storage.copy(f"{source}/{of_run}", f"{place}/{of_run}")


def otherwise(
    spark: SparkSession, rehearsal: RunConfig, head: PlanHead, other: PlanHead
) -> Otherwise:
    """In what two plans of a rehearsal differ: what is done, and with what."""
    warehouse = Warehouse(rehearsal.warehouse, spark)
    first, second = (
        warehouse.frame(spark, CHANGES, name).select(*_COMPARED) for name in (head.plan, other.plan)
    )
    unlike = first.exceptAll(second).unionByName(second.exceptAll(first))
    place = f.concat_ws(": ", "target", "key")
    counted = unlike.agg(f.count_distinct("target", "key"), f.min(place)).first()
    number, example = counted or (0, None)
    return Otherwise(number, example or "", tuple(unlike_beside_views(head, other)))


def unlike_beside_views(head: PlanHead, other: PlanHead) -> Iterator[str]:
    """What two plans of the same targets do otherwise beside the views, such as `the tags of t`."""
    for name, target in head.targets.items():
        for kind, of in _BESIDE.items():
            if of(target) != of(other.targets[name]):
                yield f"the {kind} of {name}"
