"""What PostgreSQL's catalog (13 to 18) is asked of rights: everybody may read it.

As in `postgresql_catalog`, everything is named with its schema, and a row is one JSON document.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from discovery.errors import BelvedereError, UnreachableError
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.rights import postgresql
from discovery.rights.model import Grant, Membership

OF_SCHEMA: Final = b"""
    SELECT o.name, o."column", a.privilege_type AS privilege, a.is_grantable AS grantable,
      CASE WHEN a.grantee <> 0 THEN pg_catalog.pg_get_userbyid(a.grantee) END AS grantee,
      r.rolcanlogin AS logs_in, pg_catalog.pg_get_userbyid(a.grantor) AS grantor,
      a.grantee = o.owner AND a.grantor = o.owner AS is_owner
    FROM (
      SELECT NULL::text AS name, NULL::text AS "column", n.nspowner AS owner,
        coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner)) AS acl
      FROM pg_catalog.pg_namespace n WHERE n.nspname = $1
      UNION ALL
      SELECT c.relname, NULL, c.relowner,
        coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind = 'v'
      UNION ALL
      SELECT c.relname, t.attname, c.relowner, t.attacl
      FROM pg_catalog.pg_attribute t JOIN pg_catalog.pg_class c ON c.oid = t.attrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind = 'v' AND t.attnum > 0 AND NOT t.attisdropped
        AND t.attacl IS NOT NULL
    ) AS o
    CROSS JOIN LATERAL pg_catalog.aclexplode(o.acl) AS a
    LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
"""
ROLES: Final = b"""
    SELECT rolname AS name, rolcanlogin AS logs_in, rolsuper AS is_super
    FROM pg_catalog.pg_roles ORDER BY 1
"""

# Since 16 a membership says itself whether it is inherited and may be set. Whoever owns the
# database is a member of pg_database_owner (since 14) without a row that says so.
MEMBERS: Final = b"""
    SELECT g.rolname AS role, g.rolcanlogin AS role_logs_in, g.rolsuper AS role_is_super,
      m.rolname AS member, m.rolcanlogin AS member_logs_in, a.admin_option AS grantable,
      pg_catalog.pg_get_userbyid(a.grantor) AS grantor,
      coalesce((pg_catalog.to_jsonb(a) ->> 'inherit_option')::boolean, m.rolinherit) AS inherits,
      coalesce((pg_catalog.to_jsonb(a) ->> 'set_option')::boolean, true) AS sets
    FROM pg_catalog.pg_auth_members a
    JOIN pg_catalog.pg_roles g ON g.oid = a.roleid
    JOIN pg_catalog.pg_roles m ON m.oid = a.member
    UNION ALL
    SELECT g.rolname, g.rolcanlogin, false, m.rolname, m.rolcanlogin, false, NULL, true, false
    FROM pg_catalog.pg_database d
    JOIN pg_catalog.pg_roles m ON m.oid = d.datdba
    JOIN pg_catalog.pg_roles g ON g.rolname = 'pg_database_owner'
    WHERE d.datname = pg_catalog.current_database()
"""

Ask = Callable[..., Sequence[Mapping[str, Any]]]


def read_grants(ask: Ask, schemas: Sequence[str]) -> Iterator[Grant | Membership | Failure]:
    """Roles, and the rights in each schema; one that cannot be read costs no other.

    Args:
        ask: The rows of a statement with its values.
        schemas: Those that are crawled.
    """
    for row in ask(ROLES):
        yield from postgresql.of_role(row)
    for row in ask(MEMBERS):
        yield from postgresql.memberships(row)
    for schema in schemas:
        try:
            rows = ask(OF_SCHEMA, schema)
        except UnreachableError:
            raise
        except BelvedereError as error:
            yield Failure.of(Listed((schema,), "", Kind.NAMESPACE), Stage.READ, error)
            continue
        for row in rows:
            yield postgresql.grant(schema, row)
