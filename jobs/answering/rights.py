"""Who may read which view of a run: its rows of `grants` as values, and what they do not tell."""

from collections.abc import Mapping, Sequence
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
    if not warehouse.is_written(rows.GRANTS, run_id):
        hint = "crawl again, with `grants: true` below `crawl`"
        raise ConfigurationError(f"run {run_id} has not asked who may do what", hint=hint)
    where: dict[str, Sequence[str]] = {"source": [source]} if source else {}
    by_source: dict[str, list[_GrantRow]] = {}
    for row in warehouse.table(rows.GRANTS, run_id, where=where):
        by_source.setdefault(row["source"], []).append(_grant_row(row))
    return {name: _rights_of(grant_rows) for name, grant_rows in by_source.items()}


@dataclass(frozen=True, slots=True)
class _Unread:
    """A namespace whose rights are not known; the empty one stands for all."""

    namespace: tuple[str, ...]
    why: str


_GrantRow = Grant | Membership | RightsModel | _Unread


def _grant_row(row: Mapping[str, Any]) -> _GrantRow:
    """What a row of `grants` says; a place as keys spell it: as the source compares names."""
    levels = decoded(row["key"])
    if row["code"] is not None:
        return _Unread(levels, f"{row['code']}: {row['message']}")
    if row["entity"] == "model":
        return RightsModel(row["word"])
    grantee, basis = Grantee(row["grantee"], GranteeKind(row["grantee_kind"])), Basis(row["basis"])
    if row["entity"] == "role":
        role = Grantee(row["name"], GranteeKind(row["role_kind"]))
        return Membership(role, grantee, basis, bool(row["grantable"]), row["granted_by"])
    on_object = row["entity"] == "object"
    return Grant(
        levels[:-1] if on_object else levels,
        levels[-1] if on_object else "",
        grantee,
        Privilege(row["privilege"]),
        row["word"],
        row["column"],
        basis,
        bool(row["grantable"]),
        row["granted_by"],
    )


def _rights_of(grant_rows: Sequence[_GrantRow]) -> KnownRights:
    """The rights of a source."""
    unread = {answer.namespace: answer.why for answer in grant_rows if isinstance(answer, _Unread)}
    models = [answer for answer in grant_rows if isinstance(answer, RightsModel)]
    if not models:
        unread.setdefault((), "GRANTS_NOT_TOLD: nothing is known of its rights")
    grants = (answer for answer in grant_rows if isinstance(answer, Grant))
    memberships = (answer for answer in grant_rows if isinstance(answer, Membership))
    access = Access(models[0] if models else RightsModel.HIVE, grants, memberships)
    return KnownRights(access, unread)
