"""What a source has listed, and does not find any more."""

from collections.abc import Iterator

from discovery.errors import BelvedereError


def is_unlisted(name: str, listed: Iterator[str]) -> bool:
    """Whether something that was not found is listed no more: it was dropped meanwhile.

    What is listed still and not found is a failure; so it is where nobody lists again.

    Args:
        name: Of it.
        listed: What is listed now; asked for here.
    """
    try:
        return name not in listed
    except BelvedereError:
        return False
