"""The calls of a Hive Metastore that belvedere sends to a source."""

from typing import Final

READ_ONLY: Final = frozenset(
    {
        "getVersion",
        "get_all_databases",
        "get_all_functions",
        "get_all_tables",
        "get_catalogs",
        "get_config_value",
        "get_current_notificationEventId",
        "get_database",
        "get_databases",
        "get_function",
        "get_functions",
        "get_next_notification",
        "get_principals_in_role",
        "get_role_names",
        "get_table_meta",
        "get_table_objects_by_name",
        "get_table_objects_by_name_req",
        "get_tables",
        "get_tables_by_type",
        "list_privileges",
    }
)
"""Every call that may be sent: none changes anything or asks for the metastore's keys."""
