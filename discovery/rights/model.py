"""What sources say of rights, in one vocabulary, with the source's own word beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable

from discovery.outcomes import Failure


class RightsModel(StrEnum):
    """By which system's rules grants are meant."""

    HIVE = "hive"
    LAKE_FORMATION = "lake formation"
    MYSQL = "mysql"
    POSTGRESQL = "postgresql"


class GranteeKind(StrEnum):
    """What has a right."""

    USER = "user"
    ROLE = "role"
    GROUP = "group"
    PUBLIC = "public"  # everybody


class Privilege(StrEnum):
    """What may be done, in one vocabulary for all sources."""

    SELECT = "SELECT"
    MODIFY = "MODIFY"  # of rows: insert, update, delete, truncate
    CREATE = "CREATE"  # of objects in a namespace
    ALTER = "ALTER"  # of the object itself, dropping it included
    USAGE = "USAGE"  # of a namespace: PostgreSQL lets nobody read in a schema without it
    ALL = "ALL"
    OWN = "OWN"
    MEMBER = "MEMBER"  # of a role
    OTHER = "OTHER"  # only the source's own word says what


class Basis(StrEnum):
    """Why somebody has a right."""

    GRANTED = "granted"
    OWNER = "owner"
    SYSTEM = "system"  # it is built in, such as that of pg_read_all_data
    ADMINISTRATOR = "administrator"  # PostgreSQL's superuser: members of such a role have it not
    ACTIVE = "active"  # a membership that holds by itself
    INHERITED = "inherited"  # the same, of a role that the member may not set
    ON_DEMAND = "on demand"  # a membership that holds once the role is set
    REVOKED = "revoked"  # a right on the whole source that a namespace is kept out of
    OVERRIDDEN = "overridden"  # a right that a role has on a namespace, and this member has not
    WITHIN = "within"  # a right on a namespace that is one on every view in it
    UNDECIDED = "undecided"  # for whom or for what it holds, the source does not tell


_WORDS: Final = {
    "ALL": Privilege.ALL,
    "ALL PRIVILEGES": Privilege.ALL,
    "ALTER": Privilege.ALTER,
    "CREATE": Privilege.CREATE,
    "CREATE_DATABASE": Privilege.CREATE,
    "CREATE_TABLE": Privilege.CREATE,
    "CREATE VIEW": Privilege.CREATE,
    "DELETE": Privilege.MODIFY,
    "DROP": Privilege.ALTER,
    "INSERT": Privilege.MODIFY,
    "SELECT": Privilege.SELECT,
    "SUPERUSER": Privilege.ALL,
    "SUPER_USER": Privilege.ALL,
    "TRUNCATE": Privilege.MODIFY,
    "UPDATE": Privilege.MODIFY,
    "USAGE": Privilege.USAGE,
}


def privilege_of(word: str) -> Privilege:
    """The privilege that a source's word means; Hive has its words in any case."""
    return _WORDS.get(word.upper(), Privilege.OTHER)


@dataclass(frozen=True, slots=True, order=True)
class Grantee:
    """Who has a right.

    Attributes:
        name: As the source spells it, without quotes; of MySQL's family `user@host`, of AWS an ARN
            or the id of an account. Empty: everybody.
        kind: User, role, group or everybody.
    """

    name: str
    kind: GranteeKind


EVERYBODY: Final = Grantee("", GranteeKind.PUBLIC)


@dataclass(frozen=True, slots=True)
class Grant:
    """A right that somebody has.

    Attributes:
        namespace: Levels, outermost first; empty: it is a right on the whole source.
        name: Of the object; empty: it is a right on the namespace.
        grantee: Who has it.
        privilege: What may be done.
        word: The source's own word for that.
        column: The only column that it is about, or which part of the object; None: it is about the
            whole object.
        basis: Why.
        grantable: Whether the grantee may hand it on.
        granted_by: Who has granted it, where the source says so.
    """

    namespace: tuple[str, ...]
    name: str
    grantee: Grantee
    privilege: Privilege
    word: str
    column: str | None = None
    basis: Basis = Basis.GRANTED
    grantable: bool = False
    granted_by: str | None = None


@dataclass(frozen=True, slots=True)
class Membership:
    """That somebody has the rights of a role.

    Attributes:
        role: The role.
        member: Who has them: a user, group or another role.
        basis: `active`: by itself; `on demand`: once the member has set the role.
        grantable: Whether the member may make others members.
        granted_by: Who has made it one, where the source says so.
    """

    role: Grantee
    member: Grantee
    basis: Basis = Basis.ACTIVE
    grantable: bool = False
    granted_by: str | None = None


@runtime_checkable
class GrantSource(Protocol):
    """A source that can also say who may do what.

    Attributes:
        rights_model: By which rules what it says is meant.
    """

    rights_model: RightsModel

    def grants(self) -> Iterator[Grant | Membership | Failure]:
        """Every grant and membership that it can tell, also on what is excluded. Does I/O.

        What cannot be read is a Failure: it is not the same as that nothing is granted.
        """
