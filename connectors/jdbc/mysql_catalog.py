"""What the catalog of MySQL and of its kin is asked.

MariaDB opens a view for `information_schema.columns` and for `is_updatable`, and runs deterministic
functions in some places of its text meanwhile (10.11, seen: `round(x, f())`, `substr(x, f())`);
MySQL 9 does not. What is asked here is therefore asked inside the connector's boundary.
"""

from typing import Final

from sqlalchemy import bindparam, text

HIDDEN: Final = text("""
    SELECT count(*) AS number FROM information_schema.views WHERE view_definition = ''
""")
SCHEMATA: Final = text("SELECT schema_name AS name FROM information_schema.schemata ORDER BY 1")
OBJECTS: Final = text("""
    SELECT table_name AS name, table_type AS kind FROM information_schema.tables
    WHERE table_schema = :schema ORDER BY 1
""")
SCHEMAS: Final = text("""
    SELECT * FROM information_schema.schemata WHERE schema_name IN :schemas
""").bindparams(bindparam("schemas", expanding=True))
VIEWS: Final = text("""
    SELECT * FROM information_schema.views WHERE table_schema = :schema AND table_name IN :names
""").bindparams(bindparam("names", expanding=True))
UNOPENED: Final = text("""
    SELECT table_schema, table_name, view_definition, check_option, definer, security_type,
      character_set_client, collation_connection
    FROM information_schema.views WHERE table_schema = :schema AND table_name IN :names
""").bindparams(bindparam("names", expanding=True))
"""What MariaDB says of a view without opening it; `VIEWS` has no row of one that cannot be opened
for another reason than what it reads, as for a constant that is no date (1525 in 10.11).
"""
COMMENTS: Final = text("""
    SELECT table_name AS name, table_comment AS comment FROM information_schema.tables
    WHERE table_schema = :schema AND table_name IN :names
""").bindparams(bindparam("names", expanding=True))
COLUMNS: Final = text("""
    SELECT table_name AS view_name, column_name AS name, column_type AS type,
      column_comment AS comment, ordinal_position AS place
    FROM information_schema.columns WHERE table_schema = :schema AND table_name IN :names
""").bindparams(bindparam("names", expanding=True))
COLUMNS_AS_JSON: Final = text("""
    SELECT min(table_name) AS view_name, json_arrayagg(json_object('name', column_name,
      'type', column_type, 'comment', column_comment, 'place', ordinal_position)) AS stated,
      count(*) AS number
    FROM information_schema.columns WHERE table_schema = :schema AND table_name IN :names
    GROUP BY CAST(table_name AS BINARY)
""").bindparams(bindparam("names", expanding=True))  # names that the collation thinks equal differ
"""MariaDB cuts JSON off at `group_concat_max_len`; `number` is how many columns there are."""
FUNCTIONS: Final = text("""
    SELECT routine_schema AS namespace, routine_name AS name,
      coalesce(external_language, routine_body) AS language, definer AS owner
    FROM information_schema.routines
    WHERE routine_type = 'FUNCTION' ORDER BY 1, 2
""")
