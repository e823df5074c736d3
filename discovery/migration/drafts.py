"""Drafts of texts whose catalogs have other names at the target.

A draft is the text byte for byte, but for the spans of the old catalog names. It is never written
unless a person adopts it in the plan: a name that only looks like a catalog is for people to see.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from discovery.engines import engine
from discovery.model import Representation, View
from discovery.ports import Name

_PLAIN: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WITH_CATALOG: Final = 3  # parts of a name: catalog, schema, object


Cut = Callable[[str, str], Iterable[tuple[Name, int, int]]]
"""Text and dialect to each chain of names, with the span of its first name."""


def drafted(
    view: View, reads: Mapping[str, Collection[Name]], catalogs: Mapping[str, str], cut: Cut
) -> tuple[View, tuple[str, ...]]:
    """The view with drafts in place of its texts, and the dialects of which there is one.

    Args:
        view: As it is wanted.
        reads: Dialect to the tables and views that its text reads, as it spells them.
        catalogs: Old catalog name to that at the target.
        cut: What finds the names in a text: `discovery.lineage.scopes.dotted_names`.
    """
    texts, dialects = [], []
    for one in view.representations:
        sql = _draft(one, reads.get(one.dialect, ()), catalogs, cut)
        context = catalogs.get(one.default_catalog or "", one.default_catalog)
        if (sql, context) != (one.sql, one.default_catalog):
            dialects.append(one.dialect)
        texts.append(replace(one, sql=sql, default_catalog=context))
    return replace(view, representations=tuple(texts)), tuple(dialects)


def _draft(
    text: Representation, reads: Collection[Name], catalogs: Mapping[str, str], cut: Cut
) -> str:
    """The text with the catalogs of the names that it reads replaced where they stand."""
    wanted = {
        tuple(part.casefold() for part in name): catalogs[name[0]]
        for name in reads
        if len(name) >= _WITH_CATALOG and name[0] in catalogs
    }
    if not wanted:
        return text.sql
    sql = text.sql
    for name, start, end in reversed(list(cut(text.sql, text.dialect))):
        folded = tuple(part.casefold() for part in name)
        new = next((to for read, to in wanted.items() if folded[: len(read)] == read), None)
        if new is not None:
            sql = sql[:start] + _spelled(new, sql[start], text.dialect) + sql[end:]
    return sql


def _spelled(name: str, first: str, dialect: str) -> str:
    """A name as an identifier: quoted where the old one was, or where it must be."""
    if first in '"`':
        mark = first
    elif _PLAIN.fullmatch(name):
        return name
    else:
        mark = engine(dialect).quote
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"
