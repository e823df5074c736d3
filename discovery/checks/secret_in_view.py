"""The view holds what looks like a secret: in its text, its comment or a property.

Whoever may read the catalog may read it. Reports show `***` in its place; the warehouse and the
target keep the view as it is. What is recognised is in `discovery/secrets_in_texts.py`.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.secrets_in_texts import find, is_sensitive

CODE: Final = "SECRET_IN_VIEW"
EXAMPLE_BAD: Final = example(
    "spark", "spark", "SELECT 1", properties=(("fs.s3a.secret.key", "example"),)
)
EXAMPLE_GOOD: Final = example(
    "spark", "spark", "SELECT 1", properties=(("fs.s3a.endpoint", "example"),)
)
_HINT: Final = "change the secret, and take it out of the view: every copy of the catalog has it"


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for each place, which says where and never what."""
    view = subject.view
    for name, value in view.properties:
        if value and (is_sensitive(name) or any(find(value))):
            yield Finding(Severity.WARNING, f"the property {name} holds a secret", _HINT)
    if any(find(view.comment or "")):
        yield Finding(Severity.WARNING, "the comment holds a secret", _HINT)
    for text in view.representations:
        for found_secret in find(text.sql):
            line = text.sql.count("\n", 0, found_secret.start) + 1
            column = found_secret.start - text.sql.rfind("\n", 0, found_secret.start)
            message = f"the text holds a secret at {line}:{column}: {found_secret.what}"
            yield Finding(Severity.WARNING, message, _HINT, dialect=text.dialect)
