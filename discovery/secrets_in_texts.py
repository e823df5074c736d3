"""Secrets that people have left in views: recognised by the name of an option, or by their form.

The forms are those that the issuers document: AWS access key ids, GitHub, Slack, Google, Stripe and
Databricks tokens, JSON web tokens (RFC 7519), PEM private keys (RFC 7468), passwords in a URL's
userinfo (RFC 3986, section 3.2.1) and what stands there alone over HTTP, and values of its
parameters that are named as options that hold one, or as signatures (AWS SigV4, Google's, Azure's
SAS). A text is searched for what looks so; whether it opens anything is not asked.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

MASK: Final = "***"
_WORDS: Final = (
    "passphrase|password|passwd|pwd|secret|secretkey|accesskey|accesskeysecret|apikey|"
    "accountkey|privatekey|token|credential|credentials|authorization|connectionstring"
)
_HEADERS: Final = "cookie"
"""Secret as an option; columns bear that name, so no text is searched for it."""
_ALIKE: Final = 0.75  # of 1: `pass` is as near to `passwd`, `tokn` to `token`
_SENSITIVE: Final = re.compile(f"(?:{_WORDS}|{_HEADERS})$")
_OF_AN_ACCOUNT: Final = re.compile(
    "(?:password|secret|secretkey|accesskey|accountkey|privatekey|sastoken|fixedtoken"
    "|connectionstring)$"
)
"""What Azure's file systems (Hadoop 3.4, PyIceberg 0.10) and others have before the name of an
account, as in `fs.azure.account.key.mine.dfs.core.windows.net`."""
_SETTINGS: Final = frozenset(
    (
        *("alias", "algorithm", "class", "classname", "enabled", "encoding", "endpoint", "env"),
        *("expiry", "field", "file", "format", "header", "id", "interval", "length", "lifetime"),
        *("location", "manager", "mode", "name", "path", "policy", "prefix", "property"),
        *(
            "provider",
            "providers",
            "ref",
            "refresh",
            "required",
            "rotation",
            "scope",
            "store",
            "timeout",
        ),
        *("ttl", "type", "uri", "url", "version"),
    )
)
"""What follows there where it says something of the secret, and is none."""
_OPTION: Final = re.compile(
    r"""(?P<name>['"`][\w.\-]{1,200}+['"`]|(?<![\w.])[A-Za-z_][\w.\-]{0,200}+)"""
    r"""(?:\s*(?:=>|=|:)\s*|\s+)(?P<quote>['"])(?P<value>[^'"]+)(?P=quote)"""
)
_FORMS: Final = re.compile(
    r"(?:\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bgh[pousr]_[A-Za-z0-9]{36,}"
    r"|\bxox[abprs]-[\w-]{10,}"
    r"|\bAIza[\w-]{35}"
    r"|\bsk_live_\w{16,}"
    r"|\bdapi[0-9a-f]{32}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*"
    r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?)"
)
_LOGIN: Final = re.compile(
    r"://[^\s:/@'\"]*:"
    r"(?P<value>[^\s/'\"]+|(?!\d*/)[^\s/'\"$%{<*]{1,100}/[^\s'\"]{0,100})(?=@[\w.\-\[])"
)
"""The user goes to the first colon, the password to the last `@` before the host's end. What is no
port and has a slash is one that was not encoded."""
_USER: Final = re.compile(
    r"://[^\s:/@'\"]*:(?!\d+(?:[/,?#\s'\"]|$))"
    r"|(?<![^\s'\"(])[^\s:/@'\"(]+:(?=[^\s/@'\"]+$)"
)
"""Before a password, which people write unencoded, with blanks, slashes or quotes; not a port. The
scheme may have been forgotten. Texts are searched up to their last `@`."""
_ANY_USER: Final = re.compile(r"(?<![^\s'\"(])[^\s:@'\"(]+:(?!//)(?=[^\s@'\"]+$)")
"""The same where the URL is mistyped, or one of Oracle's: `jdbc:oracle:thin:user/password@host`."""
_STATED: Final = re.compile(r"(?P<name>[A-Za-z][\w.\-]{0,60})=(?P<value>(?!\$\{)[^\s&]+)")
"""An option, wherever it stands in what a person has typed."""
_SOLE_USER: Final = re.compile(
    r"\bhttps?://(?P<value>[^\s:/@'\"?#*${}]+)(?=@[\w.\-\[])", re.IGNORECASE
)
"""Over HTTP whoever has no password beside the name has a token in its place."""
_SCHEME: Final = re.compile(r"\b[A-Za-z][A-Za-z0-9+.\-]{0,20}$")
_LONGEST_SCHEME: Final = 21
_PARAMETER: Final = re.compile(r"(?:[?&;#]|%3[Bb])(?P<name>[A-Za-z][\w.\-]{0,60})(?:=|%3[Dd])")
"""Of a URL, or one that is within another's."""
_VALUE: Final = re.compile(r"(?:[^\s'\"&;#%()\[\]{}|\\*^]|%[0-9A-Fa-f]{2}){4,}")
"""Of a parameter; the signs of patterns are in none."""
_OF_AZURE: Final = re.compile(
    r"(?:^|(?<=[;'\"]))(?:AccountKey|SharedAccessKey|SharedAccessSignature)="
    r"(?P<value>[^\s;'\"${*]{8,})",
    re.IGNORECASE,
)
"""Members of a connection string, which begin it or follow a semicolon: DimAccount has a column
AccountKey, too."""
_SAS: Final = re.compile(r"(?:^|(?<=[?&'\"=]))sig=(?P<value>(?:[^\s'\"&;${*]){4,})")
_BESIDE_SAS: Final = re.compile(r"(?:^|[?&'\"=])s[vepr]=")
"""A token of Azure that is no part of a URL has what it is for beside its signature."""
_IN_A_URL: Final = re.compile(r"://[^\s'\"]*$")
_LONGEST_URL: Final = 2_000  # characters, as far as one is looked back at
_LONGEST_TOKEN: Final = 500
_SIGNATURES: Final = frozenset({"sig", "xamzsignature", "xgoogsignature"})
_HINTS: Final = (
    *("pass", "pwd", "secret", "token", "cred", "auth", "key", "akia", "asia", "ghp_", "gho_"),
    *("ghu_", "ghs_", "ghr_", "xox", "aiza", "sk_live_", "dapi", "eyj", "://", "sig="),
    "connection",
)
"""What every secret has in it, or before it, in lower case: names of options may be `pass_word`."""
_BARE: Final = frozenset({"password", "passwd", "pwd", "passphrase", "secret"})


class FoundSecret(NamedTuple):
    """A part of a text that looks like a secret.

    Attributes:
        start: Where its value begins, counted from 0.
        end: Where it has ended.
        what: What it looks like, without the value.
    """

    start: int
    end: int
    what: str


def may_be_sensitive(name: str) -> bool:
    """Whether somebody may have meant an option that holds a secret."""
    joined = _joined(name)
    return is_sensitive(name) or bool(get_close_matches(joined, _WORDS.split("|"), 1, _ALIKE))


def is_sensitive(name: str) -> bool:
    """Whether an option of this name holds a secret, however its words are parted.

    One that is an account's own has the account behind the word.
    """
    return _SENSITIVE.search(_joined(name)) is not None or _is_of_an_account(name)


def _is_of_an_account(name: str) -> bool:
    parts = name.split(".")
    if len(parts) < 2 or re.split(r"[_-]", parts[-1].lower())[-1] in _SETTINGS:
        return False
    prefixes = (_joined(".".join(parts[:count])) for count in range(1, len(parts)))
    return any(_OF_AN_ACCOUNT.search(prefix) for prefix in prefixes)


def _joined(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def find(text: str) -> Iterator[FoundSecret]:
    """What in a text looks like a secret, in order, none within another."""
    if not may_hold_one(text):  # nearly all texts
        return
    end = 0
    for found_secret in sorted([*_options(text), *_forms(text), *_parameters(text)]):
        if found_secret.start >= end:
            end = found_secret.end
            yield found_secret


def _options(text: str) -> Iterator[FoundSecret]:
    for match in _OPTION.finditer(text):
        name = match["name"].strip("'\"`")
        quoted_or_dotted = name != match["name"] or "." in name
        is_option = quoted_or_dotted or name.lower() in _BARE
        is_column = _joined(name).endswith(_HEADERS)
        if (
            is_option
            and is_sensitive(name)
            and not is_column
            and not match["value"].startswith(("${", MASK))
        ):
            yield FoundSecret(*match.span("value"), f"the option {name}")


def _forms(text: str) -> Iterator[FoundSecret]:
    for match in _FORMS.finditer(text):
        yield FoundSecret(*match.span(), "a key or token by its form")
    for match in _LOGIN.finditer(text):
        if _SCHEME.search(text, max(0, match.start() - _LONGEST_SCHEME), match.start()):
            yield FoundSecret(*match.span("value"), "a password in a URL")
    for match in _SOLE_USER.finditer(text):
        yield FoundSecret(*match.span("value"), "a token in a URL")
    yield from _forms_of_azure(text)


def _forms_of_azure(text: str) -> Iterator[FoundSecret]:
    """Connection strings, and tokens that are no part of a URL."""
    for match in _OF_AZURE.finditer(text):
        yield FoundSecret(*match.span("value"), "a key in a connection string")
    for match in _SAS.finditer(text):
        begin, end = max(0, match.start() - _LONGEST_TOKEN), match.end() + _LONGEST_TOKEN
        if _BESIDE_SAS.search(text[begin:end]):
            yield FoundSecret(*match.span("value"), "a signature")


def _parameters(text: str) -> Iterator[FoundSecret]:
    """Those of which a value is no part of the one before: a text is gone through once."""
    end = 0
    for match in _PARAMETER.finditer(text) if "://" in text else ():
        name = match["name"]
        if match.end() < end or not (is_sensitive(name) or _joined(name) in _SIGNATURES):
            continue
        begin = max(0, match.start() - _LONGEST_URL)
        if _IN_A_URL.search(text, begin, match.start()) is None:
            continue
        if (value := _VALUE.match(text, match.end())) is not None:
            end = value.end()
            yield FoundSecret(*value.span(), f"the parameter {name} of a URL")


def masked(text: str) -> str:
    """The text with `***` for the value of each."""
    found_secrets = list(find(text))
    for found_secret in reversed(found_secrets):
        text = text[: found_secret.start] + MASK + text[found_secret.end :]
    return text


def without_logins(text: str, by: str = "") -> str:
    """A text that a person has typed without the passwords of its URLs, whatever signs they have.

    Of texts of SQL it would take too much: there a blank or a quote ends a URL.

    Args:
        text: The text; of several URLs, what is between them goes, too.
        by: What stands for each character; empty: three asterisks for all of them.
    """
    last = text.rfind("@")
    user = _USER.search(text, 0, max(0, last)) or _ANY_USER.search(text, 0, max(0, last))
    if user is not None:
        text = text[: user.end()] + (by * (last - user.end()) or MASK) + text[last:]
    return _STATED.sub(lambda match: _without_value(match, by), text)


def _without_value(match: re.Match[str], by: str) -> str:
    hidden = by * len(match["value"]) or MASK
    return f"{match['name']}={hidden}" if is_sensitive(match["name"]) else match[0]


def masked_json(value: Any) -> Any:  # noqa: ANN401 - JSON
    """JSON whose texts are masked, and the members whose names say that they are secrets."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, list):
        return [masked_json(item) for item in value]
    if isinstance(value, dict):
        return {
            name: MASK if isinstance(member, str) and is_sensitive(name) else masked_json(member)
            for name, member in value.items()
        }
    return value


def may_hold_one(text: str) -> bool:
    """Whether it is worth the search: cheap, and never wrong in saying no."""
    low = text.lower()
    return any(hint in low for hint in _HINTS)  # 30 times as fast as a pattern of them
