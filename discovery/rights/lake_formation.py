"""Grants of AWS Lake Formation: structures of its API, as `ListPermissions` answers.

Where a rule is from, if it does not say so itself: `service-2.json` of botocore 1.44 for
Lake Formation 2017-03-31; "LF-PR" is AWS's page "Lake Formation permissions reference", "LF-IP"
"Implicit Lake Formation permissions", both of its developer guide as of 2026-11. Nothing was tried
on AWS.

Lake Formation decides together with IAM, which has to let somebody ask Glue and Lake Formation at
all ("LF-PR", first sentence): what is here may be more than he can do, never less.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from discovery.errors import DecodeError
from discovery.formats import fields
from discovery.rights.model import Basis, Grant, Grantee, GranteeKind, Privilege, privilege_of

IAM_ALLOWED: Final = "IAM_ALLOWED_PRINCIPALS"
"""Whom IAM's policies let in: what it has, IAM alone decides ("Changing the default settings")."""
_ALL_TABLES: Final = "ALL_TABLES"
"""How `ListPermissions` names all tables of a database beside columns (an answer of AWS, in issue
46245 of terraform-provider-aws); names of Glue are in lower case."""
_READING: Final = frozenset({"ALL", "SELECT"})
_PRINCIPAL: Final = re.compile(
    r"arn:[^:]+:(?:iam|quicksight|identitystore):[^:]*:[^:]*:"
    r"(?:saml-provider/[^:]+:)?(user|role|group)/.+",
    re.DOTALL,
)
_ASSUMED: Final = re.compile(r"arn:([^:]+):sts::(\d+):assumed-role/([^/]+)/.+", re.DOTALL)
_IAM_ROLE: Final = re.compile(r"arn:([^:]+):iam::(\d+):role/(?:.*/)?([^/]+)", re.DOTALL)


def grantee(principal: str) -> Grantee:
    """A principal ("LF-PR", "Lake Formation grant and revoke AWS CLI commands").

    What is no user and no role stands for several, whom nobody names: groups, accounts,
    organizations, all principals of an account, those whom IAM lets in. None of them is everybody.
    """
    match = _PRINCIPAL.fullmatch(principal)
    return Grantee(principal, GranteeKind(match[1]) if match else GranteeKind.GROUP)


def sees_all(caller: str, settings: Mapping[str, Any]) -> bool:
    """Whether `ListPermissions` tells somebody all.

    It does to administrators of the data lake, also to those that may only read ("Lake Formation
    personas"). To others it tells what they may hand on ("Viewing database and table permissions").

    Args:
        caller: ARN, as `GetCallerIdentity` has it.
        settings: `DataLakeSettings`.
    """
    identities = {
        _identity(administrator) for administrator in _administrators(settings, "DataLakeAdmins")
    }
    identities |= {
        _identity(administrator) for administrator in _administrators(settings, "ReadOnlyAdmins")
    }
    return _identity(caller) in identities


def administrators(settings: Mapping[str, Any]) -> Iterator[Grant]:
    """Those of a data lake, who may grant to themselves, and read nothing until then ("LF-IP")."""
    for word in ("DataLakeAdmins", "ReadOnlyAdmins"):
        for administrator in _administrators(settings, word):
            yield Grant((), "", grantee(administrator), Privilege.OTHER, word, basis=Basis.SYSTEM)


def creator(entry: Mapping[str, Any]) -> Grant | None:
    """Who has made an entry of Glue (`CreatedBy`); None: it does not say.

    He has all permissions from the start ("LF-IP"). It is not said that they cannot be revoked, so
    he reads by those that are listed, not by this.
    """
    if not (made_by := entry.get("CreatedBy")):
        return None
    match = _ASSUMED.fullmatch(str(made_by))
    who = f"arn:{match[1]}:iam::{match[2]}:role/{match[3]}" if match else str(made_by)
    place = (str(entry["DatabaseName"]),), str(entry["Name"])
    return Grant(*place, grantee(who), Privilege.OTHER, "CreatedBy", basis=Basis.OWNER)


class _Scope(NamedTuple):
    """What a permission is about.

    Attributes:
        namespace: Levels; empty: the source.
        name: Of the view or table; empty: of none.
        columns: What of it, each; None: all.
        basis: How it holds.
        of: What the word of the permission does not say of it.
        own: Whether the permission is one on this place itself.
        lets_read: Whether SELECT and ALL there let read views.
    """

    namespace: tuple[str, ...] = ()
    name: str = ""
    columns: tuple[str | None, ...] = (None,)
    basis: Basis = Basis.GRANTED
    of: str = ""
    own: bool = False
    lets_read: bool = False


def grants(stated: Mapping[str, Any], catalog: str) -> Iterator[Grant]:
    """A `PrincipalResourcePermissions`; nothing where it is on another catalog or on no views.

    No views are locations, functions, and policies of rows.

    Args:
        stated: The structure.
        catalog: Id of the catalog that is crawled.

    Raises:
        DecodeError: It does not say who has it, or on what.
    """
    who = grantee(fields.required(stated.get("Principal") or {}, "DataLakePrincipalIdentifier"))
    place = _place(stated.get("Resource") or {}, catalog)
    if place is None:
        return
    condition = stated.get("Condition")
    of = f"{place.of} where {condition.get('Expression')}" if condition else place.of
    unsure = place.lets_read and (condition or who.name == IAM_ALLOWED)
    has, handed = (stated.get(key) or () for key in ("Permissions", "PermissionsWithGrantOption"))
    for word in dict.fromkeys((*has, *handed)):
        applies = word in has and (place.own or (place.lets_read and word in _READING))
        for column in place.columns:
            yield Grant(
                place.namespace,
                place.name,
                who,
                privilege_of(word) if applies else Privilege.OTHER,
                f"{word}{of}",
                column,
                Basis.UNDECIDED if unsure or word == "SUPER_USER" else place.basis,
                word in handed,
                stated.get("LastUpdatedBy"),
            )


def why_undecided(grant: Grant) -> str:
    """Why a right leaves it open who may read."""
    if grant.grantee.name == IAM_ALLOWED:
        return f"IAM decides who may read it: {grant.word} of {IAM_ALLOWED}"
    return (
        f"{grant.grantee.name} has {grant.word}, and Lake Formation does not tell what that opens"
    )


def account(catalog: str) -> str:
    """The account that a catalog is in: what precedes the path of one inside the account."""
    return catalog.partition(":")[0]


def _place(resource: Mapping[str, Any], catalog: str) -> _Scope | None:
    """What a `Resource` is; None: it is none of the catalog, or holds no views."""
    for kind, struct in resource.items():
        if kind in _WITHOUT_VIEWS:
            return None
        if kind in _PLACES:
            stated, own = struct.get(_CATALOG_ID.get(kind, "CatalogId")) or catalog, catalog
            if kind.startswith("LFTag"):  # tags are those of the account
                stated, own = account(stated), account(own)
            return _PLACES[kind](struct) if stated.lower() == own.lower() else None
    of = f" on {', '.join(resource) or 'what the client does not know'}"
    return _Scope(basis=Basis.UNDECIDED, of=of, lets_read=True)


def _database(stated: Mapping[str, Any]) -> _Scope:
    """Its permissions are not those of its tables: SELECT is none of them ("LF-PR")."""
    return _Scope((fields.required(stated, "Name"),), own=True)


def _table(stated: Mapping[str, Any]) -> _Scope:
    """A table or view: views are tables of Glue, so those of a wildcard are taken to be, too."""
    space = (fields.required(stated, "DatabaseName"),)
    if stated.get("TableWildcard") is not None or stated.get("Name") == _ALL_TABLES:
        return _Scope(space, basis=Basis.WITHIN, of=" on all tables", own=True, lets_read=True)
    return _Scope(space, fields.required(stated, "Name"), own=True, lets_read=True)


def _columns(stated: Mapping[str, Any]) -> _Scope:
    place, names, wildcard = _table(stated), stated.get("ColumnNames"), stated.get("ColumnWildcard")
    if not names and wildcard is None:
        raise DecodeError("must name columns", field="Resource.TableWithColumns")
    excluded: list[str] = (wildcard or {}).get("ExcludedColumnNames") or []
    if not names and not excluded:
        return place
    return _part(place, *(names or [f"* except {', '.join(excluded)}"]))


def _cells(stated: Mapping[str, Any]) -> _Scope:
    """Some rows and columns, as a filter says that is somewhere else."""
    place = _table({"DatabaseName": stated.get("DatabaseName"), "Name": stated.get("TableName")})
    part = f"cells of the filter {fields.required(stated, 'Name')}"
    return _part(place, part)._replace(of=" of the filter", own=False)


def _part(place: _Scope, *columns: str) -> _Scope:
    """Some columns or cells; of all tables together these have no meaning that is documented."""
    basis = place.basis if place.name else Basis.UNDECIDED
    return place._replace(columns=columns, basis=basis)


def _tag(stated: Mapping[str, Any]) -> _Scope:
    return _Scope(of=f" of the tag {_tagged(stated)}")


def _tag_expression(stated: Mapping[str, Any]) -> _Scope:
    return _Scope(of=f" of the expression {stated.get('Name')}")


def _tag_policy(stated: Mapping[str, Any]) -> _Scope:
    """All that has some tags; what has them, the answer does not say."""
    tags = " and ".join(map(_tagged, stated.get("Expression") or ()))
    on_tables = stated.get("ResourceType") != "DATABASE"
    kind = "tables" if on_tables else "databases"
    of = f" on {kind} with {tags or stated.get('ExpressionName')}"
    return _Scope(basis=Basis.UNDECIDED, of=of, lets_read=on_tables)


_WITHOUT_VIEWS: Final = frozenset({"DataLocation", "RLSPolicy", "UserDefinedFunction"})
_CATALOG_ID: Final = {"Catalog": "Id", "DataCellsFilter": "TableCatalogId"}
_PLACES: Final[Mapping[str, Callable[[Mapping[str, Any]], _Scope]]] = {
    "AnyResource": lambda _: _Scope(of=" on any table"),  # which only functions are given
    "Catalog": lambda _: _Scope(own=True),
    "Database": _database,
    "DataCellsFilter": _cells,
    "LFTag": _tag,
    "LFTagExpression": _tag_expression,
    "LFTagPolicy": _tag_policy,
    "Table": _table,
    "TableWithColumns": _columns,
}


def _tagged(stated: Mapping[str, Any]) -> str:
    return f"{stated.get('TagKey')}={'|'.join(stated.get('TagValues') or ())}"


def _administrators(settings: Mapping[str, Any], word: str) -> list[str]:
    return [
        fields.required(member, "DataLakePrincipalIdentifier")
        for member in settings.get(word) or ()
    ]


def _identity(arn: str) -> tuple[str, ...]:
    """What is the same of a role and of who has assumed it: partition, account and name.

    The ARN of an assumed role has no path (IAM, "IAM identifiers"); names of roles are unique in an
    account whatever their path and case ("IAM and STS quotas").
    """
    match = _ASSUMED.fullmatch(arn) or _IAM_ROLE.fullmatch(arn)
    return (match[1], match[2], match[3].lower()) if match else (arn,)
