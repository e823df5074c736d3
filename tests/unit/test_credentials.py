import pickle
from dataclasses import dataclass, field

from connectors.clients.credentials import Secret, redacted, revealed


def test_a_secret_shows_in_no_text() -> None:
    secret = Secret("hunter22")
    for text in (repr(secret), str(secret), f"{secret}", f"{[secret]}", "%s" % secret):  # noqa: UP031
        assert "hunter22" not in text


def test_a_secret_reaches_the_executors() -> None:
    assert pickle.loads(pickle.dumps(Secret("hunter22"))).reveal() == "hunter22"  # noqa: S301


def test_options_do_not_show_their_secrets() -> None:
    @dataclass
    class Options:
        password: Secret
        io: dict[str, str | Secret] = field(default_factory=dict)

    options = Options(Secret("hunter22"), {"s3.secret-access-key": Secret("correcthorse")})
    assert "hunter22" not in repr(options)
    assert "correcthorse" not in repr(options)
    assert revealed(options.io) == {"s3.secret-access-key": "correcthorse"}


def test_messages_are_redacted() -> None:
    text = 'connection to "hunter22@host" failed: hunter22'
    assert redacted(text, [Secret("hunter22")]) == 'connection to "***@host" failed: ***'
    assert redacted("a cat", [Secret("a")]) == "a cat", (
        "a secret this short would blank out everything"
    )
