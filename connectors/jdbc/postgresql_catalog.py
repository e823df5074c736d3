"""What PostgreSQL's catalog (13 to 18) is asked.

Tables and functions are named with their schema, `pg_catalog`, so that nothing of a stranger can
stand in for them, whatever the search path; nothing here plans or runs a view. Of a statement each
row is one JSON document, or each cell is, where it says so.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from discovery.functions import Parameter, Signature

SPELLING: Final[Mapping[str, str]] = {
    "search_path": "pg_catalog,pg_temp",  # so pg_get_viewdef qualifies every other name
    "quote_all_identifiers": "off",
    "standard_conforming_strings": "on",
    "datestyle": "ISO",
    "intervalstyle": "postgres",
    "timezone": "UTC",
    "bytea_output": "hex",
    "extra_float_digits": "3",
}
"""What decides how pg_get_viewdef and format_type spell names and constants, which are stored as
values: as pg_dump sets it, so that a text means the same wherever it is read, whatever its database
or role has set. Money is spelled as the database's own `lc_monetary` has it.
"""
HOLDS: Final = b"SELECT pg_catalog.current_setting('search_path')"


def settings_sql(settings: Mapping[str, str]) -> bytes:
    """What makes settings those of a transaction."""
    each = (f"pg_catalog.set_config('{key}', '{value}', true)" for key, value in settings.items())
    return f"SELECT {', '.join(each)}".encode()


VERSION: Final = b"""
    SELECT pg_catalog.split_part(pg_catalog.version(), ' on ', 1) AS version,
      pg_catalog.count(c.oid) AS views,
      pg_catalog.count(c.oid) FILTER (
        WHERE NOT pg_catalog.has_table_privilege(c.oid, 'SELECT')) AS denied
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'v' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""
NAMESPACES: Final = b"""
    SELECT nspname FROM pg_catalog.pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1
"""
OBJECTS: Final = b"""
    SELECT c.relname, c.relkind
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('v', 'm', 'r', 'p', 'f') ORDER BY 1
"""
SCHEMAS: Final = b"""
    SELECT n.nspname AS name, pg_catalog.pg_get_userbyid(n.nspowner) AS owner,
      pg_catalog.obj_description(n.oid, 'pg_namespace') AS comment
    FROM pg_catalog.json_array_elements_text($1) AS wanted(name)
    JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.name
"""
TABLES: Final = b"""
    SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS relkind,
      pg_catalog.json_agg(pg_catalog.json_build_object('name', a.attname,
        'type', pg_catalog.format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
        FILTER (WHERE a.attnum > 0 AND NOT a.attisdropped) AS columns
    FROM pg_catalog.json_to_recordset($1) AS wanted(schema text, name text)
    JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
    JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('v', 'm', 'r', 'p', 'f', 'S') GROUP BY 1, 2, 3
"""
TYPES: Final = b"""
    SELECT wanted.oid::bigint AS oid, modifier,
      pg_catalog.format_type(wanted.oid, modifier) AS spelled,
      EXISTS (SELECT FROM pg_catalog.pg_type t
        WHERE t.oid = wanted.oid AND t.typtype = 'd') AS is_domain
    FROM pg_catalog.json_to_recordset($1) AS wanted(oid oid, modifier int)
"""
PULSE: Final = b"SELECT oid FROM pg_catalog.pg_class LIMIT 1"
FUNCTIONS: Final = b"""
    SELECT n.nspname AS schema, p.proname AS name,
      pg_catalog.oidvectortypes(p.proargtypes) AS arguments,
      l.lanname AS language, pg_catalog.pg_get_userbyid(p.proowner) AS owner,
      CASE WHEN p.prokind = 'f' AND NOT p.proretset AND p.proallargtypes IS NULL
          AND p.provariadic = 0 THEN pg_catalog.json_build_array(
        pg_catalog.format_type(p.prorettype, NULL), p.proargnames, p.pronargdefaults,
        ARRAY(SELECT pg_catalog.format_type(t, NULL)
          FROM pg_catalog.unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a(t, n) ORDER BY n))
      END AS signature
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language l ON l.oid = p.prolang
    WHERE p.prokind <> 'p' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    ORDER BY 1, 2, 3
"""

# Each cell is JSON: the row; names, types and modifiers of the columns; comments by the number of
# the column; and, where there is no SELECT on the whole view, of how many columns of how many
# there is. The empty query needs it on all of them.
VIEWS: Final = b"""
    SELECT pg_catalog.json_build_object('schema', n.nspname, 'name', c.relname,
      'database', pg_catalog.current_database(), 'owner', pg_catalog.pg_get_userbyid(c.relowner),
      'comment', pg_catalog.obj_description(c.oid, 'pg_class'), 'options', c.reloptions),
      (SELECT pg_catalog.json_build_array(pg_catalog.array_agg(a.attname ORDER BY a.attnum),
          pg_catalog.array_agg(a.atttypid::bigint ORDER BY a.attnum),
          pg_catalog.array_agg(a.atttypmod ORDER BY a.attnum))
       FROM pg_catalog.pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
      (SELECT pg_catalog.json_object_agg(d.objsubid, d.description)
       FROM pg_catalog.pg_description d WHERE d.objoid = c.oid
         AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid > 0),
      CASE WHEN NOT pg_catalog.has_table_privilege(c.oid, 'SELECT') THEN
        (SELECT pg_catalog.json_build_array(
            pg_catalog.count(*) FILTER (
              WHERE pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')),
            pg_catalog.count(*))
         FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) END
    FROM pg_catalog.json_to_recordset($1) AS wanted(schema text, name text)
    JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
    JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
    WHERE c.relkind = 'v'
"""

# Two plain cells. 20: UPDATE and DELETE, as information_schema.views counts.
DEFINITION: Final = b"""
    SELECT pg_catalog.pg_get_viewdef(c.oid),
      (pg_catalog.pg_relation_is_updatable(c.oid, false) & 20) = 20
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'v'
"""
TEXT: Final = b"""
    SELECT pg_catalog.pg_get_viewdef(c.oid), NULL
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'v'
"""
"""The same where it cannot be told whether the view is updatable."""


def signature_of(
    returns: str, names: Sequence[str] | None, lacking: int, types: Sequence[str]
) -> Signature:
    """As `FUNCTIONS` states it: the last of its parameters may be left out."""
    required = len(types) - lacking
    takes = zip(names or [""] * len(types), types, strict=True)
    return Signature(
        tuple(Parameter(*pair, number >= required) for number, pair in enumerate(takes)), returns
    )
