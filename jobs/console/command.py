"""What every command does alike: arguments, configuration, errors, exit code."""

import argparse
import getpass
import sys
import traceback
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from discovery.errors import BelvedereError, ConfigurationError
from jobs.configuration import loader
from jobs.console.gate import Gates, gated
from jobs.migrating import plan_folder

FINE: Final = 0
CRASHED: Final = 1
USAGE: Final = 2
FINDINGS: Final = 3
UNREAD: Final = 4
_INTERRUPTED: Final = 130

EXIT_CODES: Final = {
    FINE: "fine",
    CRASHED: "crashed: a bug, or a system that failed in a way nobody foresaw",
    USAGE: "usage or configuration: nothing was crawled or written",
    FINDINGS: "findings over a threshold (fail_on), such as views that could not be decoded",
    UNREAD: "a source, namespace, batch or object could not be read",
}

_QUIET: Final = ContextVar("quiet", default=False)
Run = Callable[[argparse.Namespace], int]


def execute(
    document: str | None,
    arguments: Callable[[argparse.ArgumentParser], None],
    run: Run,
    argv: Sequence[str] | None,
) -> int:
    """Parse the arguments, read the configuration that they name, run, and turn errors into codes.

    Args:
        document: The command's docstring: its first line begins with `belvedere <command>:`.
        arguments: Adds the command's arguments.
        run: The command; its answer is the exit code.
        argv: Arguments; None means those of the process.
    """
    parser = _parser(document or "")
    arguments(parser)
    args = parser.parse_args(argv)
    quiet = _QUIET.set(args.quiet)
    try:
        with gated() as gates:
            return _guarded(parser.prog, run, args, gates)
    finally:
        _QUIET.reset(quiet)


def _guarded(program: str, run: Run, args: argparse.Namespace, gates: Gates) -> int:
    """Run the command, and turn errors into codes."""
    try:
        if (file := _configuration(args)) is not None:
            args.config_file = file
            args.config = loader.load(file)
            gates.keep(args.config.secrets)
        return run(args)
    except BelvedereError as error:
        hint = f"\nhint: {error.hint}" if error.hint else ""
        print(f"{program}: {error}{hint}", file=sys.stderr)
        return USAGE if isinstance(error, ConfigurationError) else CRASHED
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return FINE
    except Exception:  # noqa: BLE001 - the last boundary: a traceback must not show a secret
        print(traceback.format_exc(), file=sys.stderr)
        return CRASHED


def _configuration(args: argparse.Namespace) -> Path | None:
    """The configuration that the arguments name, or that of the plan that they name.

    Raises:
        ConfigurationError: The plan cannot be read, or its configuration is not there any more.
    """
    named: Path | None = getattr(args, "config", None)
    plan: Path | None = getattr(args, "plan", None)
    if named is not None or plan is None:
        return named
    file = Path(plan_folder.read_head(plan).config)
    if not file.is_file():
        hint = "name the configuration with --config"
        raise ConfigurationError(f"{file}, with which the plan was made, is gone", hint=hint)
    return file


def _parser(document: str) -> argparse.ArgumentParser:
    title, _, rest = document.partition("\n")
    program, _, summary = title.partition(": ")
    codes = "\n".join(f"  {code}  {meaning}" for code, meaning in EXIT_CODES.items())
    parser = argparse.ArgumentParser(
        prog=program,
        description=summary,
        epilog=f"{rest.strip()}\n\nexit codes:\n{codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quiet", action="store_true", help="no milestones, no summary")
    return parser


def with_config(parser: argparse.ArgumentParser) -> None:
    """The argument that names the configuration."""
    parser.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the estate: estate.yaml"
    )


def with_plan(parser: argparse.ArgumentParser) -> None:
    """The arguments of commands that work on a plan."""
    parser.add_argument("plan", type=Path, metavar="PLAN", help="the folder of the plan")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the estate; that of the plan by default"
    )


def with_principal(parser: argparse.ArgumentParser) -> None:
    """The argument that names who writes."""
    parser.add_argument(
        "--principal", default=getpass.getuser(), metavar="P", help="who it is, for the events"
    )


def with_run(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a run of a warehouse."""
    parser.add_argument("--warehouse", required=True, metavar="W", help="where the runs are")
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument("--source", metavar="S", help="only this source")


def with_json(parser: argparse.ArgumentParser, what: str) -> None:
    """The argument that asks for JSON."""
    parser.add_argument("--json", action="store_true", help=f"print {what}")


def say(message: str) -> None:
    """A milestone, for people: on stderr, where it does not mix with what programs read."""
    if not _QUIET.get():
        print(message, file=sys.stderr, flush=True)
