"""A view as it was to be written against what a Gravitino server shows of it.

Less is compared than where a store reads back what it wrote: each catalog spells types, contexts
and properties its own way (`connectors/gravitino/providers.py`), and what matters here is that the
server shows this view, by these texts, and who made it.
"""

from typing import Final

from discovery.migration.pairing import AUDIT, is_other_maker
from discovery.model import FLINK, View

SERVED: Final = "served."
"""What a difference begins with that the server shows."""


def unlike_served(wanted: View, shown: View | None, *, audited: bool) -> tuple[str, ...]:
    """The fields in which a server shows a view otherwise; `served.view` if it shows none.

    Args:
        wanted: As it was to be written.
        shown: As the server shows it.
        audited: Whether it is to say who made the view, and when.
    """
    if shown is None:
        return (f"{SERVED}view",)
    fields = []
    wanted_texts, shown_texts = _texts(wanted), _texts(shown)
    # Flink keeps columns in parameters of its own: a catalog of hive shows none (1.3.0, 2.0, asked)
    hidden = shown_texts.keys() == {FLINK} and not shown.columns
    if _columns(wanted) != _columns(shown) and not hidden:
        fields.append("columns")
    dialects = sorted(wanted_texts.keys() | shown_texts.keys())
    fields += [
        f"representations.{dialect}"
        for dialect in dialects
        if wanted_texts.get(dialect) != shown_texts.get(dialect)
    ]
    if audited and is_other_maker(wanted, shown):
        fields.append(AUDIT)
    return tuple(f"{SERVED}{field}" for field in fields)


def _columns(view: View) -> list[str]:
    return [column.name.casefold() for column in view.columns]


def _texts(view: View) -> dict[str, str]:
    return {dialect: text.sql for dialect, text in view.by_dialect.items()}
