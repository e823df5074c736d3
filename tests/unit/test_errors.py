import pickle

import pytest

from discovery import errors
from discovery.errors import BelvedereError, DecodeError, InternalError, described
from discovery.outcomes import NOTES, SKIP_REASONS

EVERY = [
    var
    for var in vars(errors).values()
    if isinstance(var, type) and issubclass(var, BelvedereError)
]
CODED = [one for one in EVERY if one is not BelvedereError]


@pytest.mark.parametrize("kind", CODED)
def test_errors_survive_the_way_between_processes(kind: type[BelvedereError]) -> None:
    error = pickle.loads(pickle.dumps(kind("what", hint="do", field="sd.cols")))  # noqa: S301
    assert type(error) is kind
    assert (error.message, error.hint, error.where) == ("what", "do", {"field": "sd.cols"})


def test_codes_are_unique() -> None:
    codes = [one.code for one in CODED] + [reason.code for reason in (*SKIP_REASONS, *NOTES)]
    assert len(set(codes)) == len(codes)


def test_the_place_stands_in_the_text() -> None:
    assert str(DecodeError("is missing", field="sd.cols")) == "field sd.cols: is missing"


def test_an_error_that_nobody_foresaw_is_named_as_a_bug() -> None:
    known = described(KeyError("x"))
    assert isinstance(known, InternalError)
    assert "KeyError" in known.message
    assert "report" in known.hint
