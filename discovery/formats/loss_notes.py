"""The notes by which a format tells what an entry states and the standard model cannot hold."""

from collections.abc import Iterable, Iterator, Sequence

from discovery.outcomes import NOT_IN_MODEL, TYPE_NARROWED, Note

_SHOWN = 20  # of a view with hundreds of columns: enough to see what it is about


def narrowed(columns: Iterable[tuple[str, Sequence[str]]]) -> Iterator[Note]:
    """A note on the columns whose types say less than the engine's; none where there are none.

    Args:
        columns: Of each column its name, and in words what its type does not say.
    """
    lost = [f"{name}: {', '.join(words)}" for name, words in columns if words]
    if lost:
        yield TYPE_NARROWED.note(_joined(lost))


def not_in_model(stated: Iterable[str]) -> Iterator[Note]:
    """A note on what the model has no place for; none where there is nothing.

    Args:
        stated: What it is, each with the name of the field or key that states it.
    """
    lost = sorted(stated)
    if lost:
        yield NOT_IN_MODEL.note(_joined(lost))


def _joined(lost: Sequence[str]) -> str:
    rest = f"; and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
    return "; ".join(lost[:_SHOWN]) + rest
