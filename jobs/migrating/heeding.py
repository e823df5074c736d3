"""Which answers of tried targets a plan heeds: those that are about the targets as they are now."""

from pathlib import Path

from discovery.errors import BelvedereError
from discovery.migration.heeding import Tried
from jobs.configuration import exercised, identity
from jobs.configuration.loader import RunConfig
from jobs.console import command


def heed_answers(config: RunConfig, file: Path) -> dict[str, Tried]:
    """The answers that count, by target; says of the others why they do not.

    Args:
        config: The configuration.
        file: Where it is.

    Raises:
        ConfigurationError: The answers cannot be read.
    """
    answers = {}
    for target, tried in exercised.read_answers(file).items():
        if target not in config.targets:
            continue
        try:
            with config.targets[target].store() as store:
                server = store.probe().version
        except BelvedereError:  # that is told where the target is listed
            continue
        if why := tried.why_stale(server, identity.of_target(config, target)):
            command.say(
                f"{target}: tried on {tried.when[:10]}, and {why}: that does not count; "
                f"try it anew with `belvedere doctor --exercise {target}`"
            )
        else:
            answers[target] = tried
    return answers
