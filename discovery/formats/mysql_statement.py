r"""What `view_definition` of MySQL and MariaDB loses of a view's text, from SHOW CREATE VIEW.

`information_schema.views` has the text in UTF-8 without the introducers of its literals
(`QT_WITHOUT_INTRODUCERS`), so a literal is of another character set where it is read, or another
one: of `_binary'a'` is left `'a'`, of `_binary'\xff'` a question mark. And MySQL writes functions
into it by which it groups WITH ROLLUP, and that nobody can call. The statement has both as they
were written, and the bytes of each literal as they are (MariaDB 10.11, MySQL 9.7).

Of `CREATE VIEW v (a, b) AS SELECT x, y`, MySQL keeps the names apart from the text, which returns
others (`x`, `y`; MySQL 9.7); MariaDB writes them into it (10.11).
"""

import re
from typing import Final

from discovery.mysql_family import is_mysql_8

_NAME: Final = rb"`(?:[^`]|``)*`"
_HEAD: Final = re.compile(
    rb"CREATE ALGORITHM=\w+ DEFINER=%b(?:@%b)? SQL SECURITY \w+ "
    rb"VIEW (?:%b\.)?(?P<view>%b)(?: (?P<names>\(%b(?:,%b)*\)))? AS " % ((_NAME,) * 6)
)
_TAIL: Final = re.compile(rb" WITH (?:CASCADED|LOCAL) CHECK OPTION\Z")
_TOKEN: Final = re.compile(rb"%b|(_[a-z0-9]+)?'((?:[^'\\]|\\.|'')*)'" % _NAME, re.DOTALL)
_ESCAPED: Final = re.compile(rb"\\(.)|'(')", re.DOTALL)
_MEANT: Final = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}
_OWN: Final = "rollup_"


def may_lack(definition: str, version: str) -> bool:
    """Whether the catalog's text can have lost something: names, a literal, or a ROLLUP.

    Args:
        definition: The catalog's text.
        version: As the server states it.
    """
    return is_mysql_8(version) or "'" in definition or _OWN in definition


def full_text(definition: str, statement: bytes, charset: str) -> str:
    """The text of a view: the statement's where the catalog's has lost something of it.

    A literal with an introducer that is no ASCII is spelled by its bytes, in hexadecimal. Names
    that are kept apart become those of a query around the text, as Hive has them.

    Args:
        definition: The catalog's text.
        statement: Of SHOW CREATE VIEW, as it is kept, converted into no other character set.
        charset: `character_set_client` of the view, in which the rest of the statement is.
    """
    head = _HEAD.match(statement)
    if head is None:
        return definition
    body = _TAIL.sub(b"", statement[head.end() :])
    introduced = any(match[1] for match in _TOKEN.finditer(body))
    encoding = "utf-8" if "utf8" in charset else "ascii"
    try:
        if introduced or _OWN in definition:
            definition = _TOKEN.sub(_spelled, body).decode(encoding)
        if head["names"] is None:
            return definition
        view, names = (head[part].decode(encoding) for part in ("view", "names"))
    except UnicodeDecodeError:
        return definition
    return f"select * from ({definition}) as {view} {names}"  # noqa: S608 - for no server of ours


def _spelled(token: re.Match[bytes]) -> bytes:
    if not token[1] or token[2].isascii():
        return token[0]
    held = _ESCAPED.sub(lambda match: _MEANT.get(match[1], match[1] or match[2]), token[2])
    return b"%b x'%b'" % (token[1], held.hex().encode())
