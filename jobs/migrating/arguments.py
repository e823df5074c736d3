"""The arguments of commands that work on a plan."""

import argparse
from pathlib import Path

from discovery.errors import ConfigurationError
from jobs.migrating import plan_folder


def with_plan(parser: argparse.ArgumentParser) -> None:
    """The folder of the plan, and the configuration, which the plan names too."""
    parser.add_argument("plan", type=Path, metavar="PLAN", help="the folder of the plan")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the estate; that of the plan by default"
    )
    parser.set_defaults(default_config=_find_config)


def _find_config(args: argparse.Namespace) -> Path:
    """The configuration that a plan was made with.

    Raises:
        ConfigurationError: The plan cannot be read, or its configuration is not there any more.
    """
    file = Path(plan_folder.read_head(args.plan).config)
    if not file.is_file():
        hint = "name the configuration with --config"
        raise ConfigurationError(f"{file}, with which the plan was made, is gone", hint=hint)
    return file
