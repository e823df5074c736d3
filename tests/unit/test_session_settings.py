"""What `BELVEDERE_SPARK_CONF` may say."""

import pytest

from discovery.errors import ConfigurationError
from jobs.console.session import stated


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
