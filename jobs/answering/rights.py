"""Who may read which view of a run: its rows of `grants` as values, and what they do not tell."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from discovery.errors import ConfigurationError, GrantsNotToldError
from discovery.model import decoded
from discovery.rights.matrix import Access, Reader
from discovery.rights.model import (
    Basis,
    Grant,
    Grantee,
    GranteeKind,
    Membership,
    Privilege,
    RightsModel,
)
from jobs.crawling import tables as rows
from jobs.warehouse.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class KnownRights:
    """What a run knows of the rights of a source.

    Attributes:
        access: Who may read what.
        unread: Namespace to why its rights are not known; the empty one stands for all.
    """

    access: Access
    unread: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    def readers(self, key: str) -> list[Reader] | str:
        """Who may SELECT a view, or why that is not known.

        Args:
            key: Of the view.
        """
        *namespace, name = decoded(key)
        return self.why_unknown(key) or self.access.readers(tuple(namespace), name)

    def why_unknown(self, key: str) -> str:
        """Why it is not known who may read a view; empty: it is."""
        *namespace, name = decoded(key)
        unread = self.unread.get((), "") or self.unread.get(tuple(namespace), "")
        if unread:
            return unread
        undecided = self.access.why_unknown(tuple(namespace), name)
        return undecided and f"{GrantsNotToldError.code}: {undecided}"


def rights_of(warehouse: Warehouse, run_id: str, source: str | None) -> dict[str, KnownRights]:
    """The rights that a run knows, by source.

    Args:
        warehouse: Where the run is.
        run_id: The run.
        source: The only source that is asked for; None: all.

    Raises:
        ConfigurationError: The run has asked for none.
    """
    if not warehouse.written(rows.GRANTS, run_id):
        hint = "crawl again, with `grants: true` below `crawl`"
        raise ConfigurationError(f"run {run_id} has not asked who may do what", hint=hint)
    where: dict[str, Sequence[str]] = {"source": [source]} if source else {}
    by_source: dict[str, list[dict[str, Any]]] = {}
    for row in warehouse.table(rows.GRANTS, run_id, where=where):
        by_source.setdefault(row["source"], []).append(row)
    return {name: known(some) for name, some in by_source.items()}


def known(told: Iterable[Mapping[str, Any]]) -> KnownRights:
    """The rights of a source, of its rows of `grants`."""
    every = list(told)
    unread = {
        decoded(row["key"]): f"{row['code']}: {row['message']}"
        for row in every
        if row["code"] is not None
    }
    models = [RightsModel(row["word"]) for row in every if row["entity"] == "model"]
    if not models:
        unread.setdefault((), "GRANTS_NOT_TOLD: nothing is known of its rights")
    said = [row for row in every if row["code"] is None and row["entity"] != "model"]
    access = Access(models[0] if models else RightsModel.HIVE, _grants(said), _memberships(said))
    return KnownRights(access, unread)


def _grants(told: Iterable[Mapping[str, Any]]) -> Iterator[Grant]:
    """The rights, their places as keys spell them: as the source compares names."""
    for row in told:
        if row["entity"] == "role":
            continue
        levels = decoded(row["key"])
        on_object = row["entity"] == "object"
        yield Grant(
            levels[:-1] if on_object else levels,
            levels[-1] if on_object else "",
            _grantee(row),
            Privilege(row["privilege"]),
            row["word"],
            row["column"],
            Basis(row["basis"]),
            bool(row["grantable"]),
            row["granted_by"],
        )


def _memberships(told: Iterable[Mapping[str, Any]]) -> Iterator[Membership]:
    for row in told:
        if row["entity"] == "role":
            role = Grantee(row["name"], GranteeKind(row["role_kind"]))
            basis = Basis(row["basis"])
            yield Membership(role, _grantee(row), basis, bool(row["grantable"]), row["granted_by"])


def _grantee(row: Mapping[str, Any]) -> Grantee:
    return Grantee(row["grantee"], GranteeKind(row["grantee_kind"]))
