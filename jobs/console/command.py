"""What every command does alike: arguments, configuration, errors, exit code."""

import argparse
import getpass
import sys
import traceback
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from connectors.clients.credentials import Secret, redacted
from discovery.errors import BelvedereError, ConfigurationError
from jobs.configuration import loader

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
    secrets: tuple[Secret, ...] = ()
    try:
        if (file := _configuration(args)) is not None:
            args.config_file = file
            args.config = loader.load(file)
            secrets = args.config.secrets
        return run(args)
    except BelvedereError as error:
        hint = f"\nhint: {error.hint}" if error.hint else ""
        print(redacted(f"{parser.prog}: {error}{hint}", secrets), file=sys.stderr)
        return USAGE if isinstance(error, ConfigurationError) else CRASHED
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return FINE
    except Exception:  # noqa: BLE001 - the last boundary: a traceback must not show a secret
        print(redacted(traceback.format_exc(), secrets), file=sys.stderr)
        return CRASHED
    finally:
        _QUIET.reset(quiet)


def _configuration(args: argparse.Namespace) -> Path | None:
    """The configuration that the arguments name; else what the command's default finds."""
    named: Path | None = getattr(args, "config", None)
    find: Callable[[argparse.Namespace], Path] | None = getattr(args, "default_config", None)
    return find(args) if named is None and find is not None else named


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
