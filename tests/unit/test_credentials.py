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


def test_what_a_client_says_of_a_url_is_redacted() -> None:
    secret = Secret("https://reader:correct%20horse@host:8181/hunter22hunter22?key=battery9")
    said = "Max retries exceeded with url: /hunter22hunter22/v1/config?key=battery9 (host:8181)"
    assert (
        redacted(said, [secret]) == "Max retries exceeded with url: ***/v1/config?*** (host:8181)"
    )
    assert "horse" not in redacted("no login for correct%20horse", [secret])
    assert redacted("/x/warehouse", [Secret("s3://b/warehouse")]) == "/x/warehouse"
    assert redacted("/db/x", [Secret("http://host/db")]) == "/db/x", "too short to be a secret"
