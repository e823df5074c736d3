"""What a local session is started with."""

import pytest

from discovery.errors import ConfigurationError
from jobs.console.session import check_cores, java_locale, parse_settings


def test_settings_are_apart_by_blanks_and_may_have_signs_of_their_own() -> None:
    text = " spark.master=local-cluster[2,1,1024]  spark.driver.extraJavaOptions=-Da=b\n"
    assert parse_settings(text) == {
        "spark.master": "local-cluster[2,1,1024]",
        "spark.driver.extraJavaOptions": "-Da=b",
    }
    assert parse_settings("") == {}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("spark.driver.memory", "spark.driver.memory"),
        ("driver.memory=4g", "driver.memory=4g"),
        ("spark.driver.extraJavaOptions=-Da=b -Xmx1g", "-Xmx1g"),
        ("spark.driver.memory = 4g", "spark.driver.memory"),
    ],
)
def test_a_word_that_is_no_setting_is_refused(text: str, word: str) -> None:
    with pytest.raises(ConfigurationError, match=f"BELVEDERE_SPARK_CONF: '{word}' is no setting"):
        parse_settings(text)


def test_java_reads_names_of_files_in_utf_8_where_python_does() -> None:
    assert java_locale({"LC_ALL": "C", "LANG": "de_DE"}) == {"LC_ALL": "C.UTF-8"}
    assert java_locale({"LC_ALL": "POSIX"}) == {"LC_ALL": "C.UTF-8"}
    for chosen in ({}, {"LC_ALL": ""}, {"LC_ALL": "de_DE.UTF-8"}, {"LC_CTYPE": "C.UTF-8"}):
        assert java_locale(chosen) == {}


@pytest.mark.parametrize("master", ["local", "local[1]", "local[8]", "local[8,4]", "local[*]"])
def test_tasks_that_would_find_no_cores_are_told_before_java_starts(master: str) -> None:
    with pytest.raises(ConfigurationError, match=r"spark\.task\.cpus=999 is more than") as raised:
        check_cores({"spark.task.cpus": "999", "spark.master": master})
    assert "write at most" in raised.value.hint


@pytest.mark.parametrize(
    ("cpus", "master"),
    [("8", "local[8]"), ("1", "local"), ("9", "spark://h:7077"), ("9", "local-cluster[1,9,99]")],
)
def test_tasks_that_find_their_cores_are_none_of_our_business(cpus: str, master: str) -> None:
    check_cores({"spark.task.cpus": cpus, "spark.master": master})
    check_cores({"spark.master": master})
