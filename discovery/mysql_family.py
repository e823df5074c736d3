"""Which server of MySQL's family one is, by the version that it states."""


def is_mariadb(version: str) -> bool:
    """Whether a server is MariaDB, by the version that it states."""
    return "mariadb" in version.lower()


def is_mysql_8(version: str) -> bool:
    """Whether it is MySQL 8 or later, which has roles, and keeps names apart from texts."""
    return not is_mariadb(version) and not version.startswith("5.")


def is_mysql_9(version: str) -> bool:
    """Whether it is MySQL 9 or later."""
    return is_mysql_8(version) and not version.startswith("8.")
