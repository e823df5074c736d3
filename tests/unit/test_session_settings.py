"""What a local session is started with."""

import pytest

from discovery.errors import ConfigurationError
from jobs.console.session import java_locale, stated


def test_settings_are_apart_by_blanks_and_may_have_signs_of_their_own() -> None:
    text = " spark.master=local-cluster[2,1,1024]  spark.driver.extraJavaOptions=-Da=b\n"
    assert stated(text) == {
        "spark.master": "local-cluster[2,1,1024]",
        "spark.driver.extraJavaOptions": "-Da=b",
    }
    assert stated("") == {}


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
        stated(text)


def test_java_reads_names_of_files_in_utf_8_where_python_does() -> None:
    assert java_locale({"LC_ALL": "C", "LANG": "de_DE"}) == {"LC_ALL": "C.UTF-8"}
    assert java_locale({"LC_ALL": "POSIX"}) == {"LC_ALL": "C.UTF-8"}
    for chosen in ({}, {"LC_ALL": ""}, {"LC_ALL": "de_DE.UTF-8"}, {"LC_CTYPE": "C.UTF-8"}):
        assert java_locale(chosen) == {}
