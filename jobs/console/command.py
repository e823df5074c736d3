"""What every command does alike: arguments, configuration, errors, exit code."""

import argparse
import getpass
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from connectors.clients.credentials import Secret
from discovery.errors import BelvedereError, ConfigurationError, WindowClosedError
from jobs.configuration import loader
from jobs.configuration.reading import warehouse_of
from jobs.console.ending import end_children, ending, trace_of
from jobs.console.gate import Gates, ReaderGoneError, gate_output
from jobs.console.notifying import EndOfCommand, notify
from jobs.console.parsing import CommandParser, warehouse
from jobs.console.signals import AskedToEnd, SignalHandler, end_in_order
from jobs.console.voice import LogFormat, Voice, speaking
from jobs.console.voice import voice as current_voice

FINE: Final = 0
CRASHED: Final = 1
USAGE: Final = 2
FINDINGS: Final = 3
UNREAD: Final = 4
INTERRUPTED: Final = 130

EXIT_CODES: Final = {
    FINE: "fine",
    CRASHED: "failed: what is read is damaged, a system or a disk failed, or there is a bug",
    USAGE: "usage or configuration: nothing was crawled or written",
    FINDINGS: "findings: more than fail_on allows, views that a plan sets aside, that could not be "
    "written, or that read back otherwise",
    UNREAD: "more of the sources could not be listed or read than fail_on allows",
}


_CODES: Final = ((ConfigurationError, USAGE), (WindowClosedError, UNREAD))
"""Errors that end a command otherwise than with CRASHED."""


class ExitReason(NamedTuple):
    """Why a command does not end with 0.

    Attributes:
        code: The exit code.
        sentence: What is so.
        then: What to do, or the command that shows more.
    """

    code: int
    sentence: str
    then: str


CONFIG_VARIABLE: Final = "BELVEDERE_CONFIG"
"""Names the configuration where no argument does."""


@dataclass(slots=True)
class _Story:
    """What a command says of itself while it runs, for whoever is told of its end."""

    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    run_id: str = ""
    config_file: Path | None = None
    reasons: list[ExitReason] = field(default_factory=list)


_STORY: Final[ContextVar[_Story | None]] = ContextVar("story", default=None)
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
    parser.set_defaults(warehouse_of=None)
    arguments(parser)
    story = _STORY.set(_Story())
    try:
        with gate_output() as gates, end_in_order() as handler:
            args = parser.parse_args(argv)
            chosen = Voice(parser.prog, args.quiet, args.verbose, LogFormat(args.log_format))
            with speaking(chosen) as voice:
                code = _run_guarded(voice, run, args, gates, handler)
                _tell_others(parser.prog, args, code)
                return code
    finally:
        _STORY.reset(story)


def _tell_others(program: str, args: argparse.Namespace, code: int) -> None:
    """Tell those of the end whom the configuration names, if it was read."""
    config, story = getattr(args, "config", None), _STORY.get()
    if isinstance(config, loader.RunConfig) and config.notify is not None and story is not None:
        name = program.rpartition(" ")[2]
        meaning = EXIT_CODES.get(code, "interrupted")
        reasons = tuple(story.reasons)
        of_command = EndOfCommand(name, story.run_id, code, meaning, reasons, story.began)
        notify(config.notify, of_command, config.secrets)


def _run_guarded(
    voice: Voice, run: Run, args: argparse.Namespace, gates: Gates, handler: SignalHandler
) -> int:
    """Run the command, and turn errors into codes."""
    secrets: tuple[Secret, ...] = ()
    try:
        if (file := _find_configuration(args)) is not None:
            args.config_file = file
            _note_file(file)
            args.config = loader.load(file)
            secrets = args.config.secrets
            gates.keep(secrets)
        if args.warehouse_of is not None and args.warehouse is None:
            estate = args.warehouse_of()
            _note_file(estate)
            args.warehouse = warehouse_of(estate)
        return _flush(run(args))
    except BelvedereError as error:
        hint = _of_this_estate(error.hint)
        voice.tell(str(error), hint)
        code = next((code for kind, code in _CODES if isinstance(error, kind)), CRASHED)
        return _note_reason(ExitReason(code, str(error), hint))
    except KeyboardInterrupt as error:
        handler.stop()
        return _end_interrupted(voice, error)
    except ReaderGoneError:
        return FINE
    except Exception as error:  # noqa: BLE001 - the last boundary: nobody reads a traceback
        if (interruption := _interruption_of(error)) is not None:
            handler.stop()
            return _end_interrupted(voice, interruption)
        crash = ending(error)
        voice.tell(crash.sentence, crash.hint)
        trace = trace_of(error, voice.program, secrets, shown=voice.verbose)
        replace(voice, quiet=False, verbose=False).say(*trace.split("\n"))
        return _note_reason(ExitReason(CRASHED, crash.sentence, crash.hint))


def _flush(code: int) -> int:
    """The exit code of a command, once all that it has printed is written."""
    with suppress(ReaderGoneError):
        sys.stdout.flush()
    return code


def _end_interrupted(voice: Voice, why: KeyboardInterrupt) -> int:
    end_children()
    code, message = INTERRUPTED, "interrupted"
    if isinstance(why, AskedToEnd):  # the code is a shell's, of a process that a signal has ended
        code, message = 128 + why.signal, f"interrupted by {why.signal.name}"
    voice.tell(message)
    return _note_reason(ExitReason(code, message, ""))


def _note_reason(reason: ExitReason) -> int:
    """Note why a command ends, for whoever is told of it; the exit code."""
    if (story := _STORY.get()) is not None:
        story.reasons.append(reason)
    return reason.code


def _interruption_of(error: BaseException) -> KeyboardInterrupt | None:
    """The interruption that was on its way up when an error was raised; None: there was none.

    The signal ends Java, too. PySpark tells it, in a `finally`, that a query is over, and Py4J's
    error that nobody answers takes the place of the interruption.
    """
    before = error.__context__
    while before is not None and not isinstance(before, KeyboardInterrupt):
        before = before.__context__
    return before


def _find_configuration(args: argparse.Namespace) -> Path | None:
    """The configuration that the arguments name; else what the command's default finds."""
    named: Path | None = getattr(args, "config", None)
    find: Callable[[argparse.Namespace], Path | None] | None
    find = getattr(args, "default_config", None)
    return find(args) if named is None and find is not None else named


def _parser(document: str) -> argparse.ArgumentParser:
    title, _, rest = document.partition("\n")
    program, _, summary = title.partition(": ")
    codes = "\n".join(f"  {code}  {meaning}" for code, meaning in EXIT_CODES.items())
    parser = CommandParser(
        prog=program,
        description=summary,
        epilog=f"{rest.strip()}\n\nexit codes:\n{codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    with_voice(parser)
    return parser


def with_voice(parser: argparse.ArgumentParser) -> None:
    """The arguments that say how loudly it speaks, and as what."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--quiet", "-q", action="store_true", help="no milestones, no summary")
    group.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        help="with times, what libraries log, and traces of errors",
    )
    parser.add_argument(
        "--log-format",
        choices=[log_format.value for log_format in LogFormat],
        default=LogFormat.TEXT.value,
        help="of milestones and errors on stderr: text, or JSON lines",
    )


def with_config(parser: argparse.ArgumentParser) -> None:
    """The argument that names the configuration; that of the variable or the folder by default."""
    parser.add_argument(
        "--config",
        type=Path,
        default=_default_config(),
        metavar="FILE",
        help=f"the estate; default: {CONFIG_VARIABLE}, else estate.yaml in this folder",
    )


def with_principal(parser: argparse.ArgumentParser) -> None:
    """The argument that names who writes."""
    parser.add_argument(
        "--principal", default=current_user(), metavar="P", help="who writes, for the events"
    )


def current_user() -> str:
    """Who runs this: the name, or the number of a user without one, as containers have them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the latter from Python 3.13 on
        return str(os.getuid())


def with_warehouse(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a warehouse; that of the default configuration by default."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--config",
        dest="warehouse_of",
        type=_file_named,
        default=_default_config,
        metavar="FILE",
        help=f"the estate whose warehouse it is; default: {CONFIG_VARIABLE}, else estate.yaml in "
        "this folder",
    )
    where.add_argument("--warehouse", type=warehouse, metavar="W", help="where the runs are")


def _file_named(text: str) -> Callable[[], Path]:
    """What finds a configuration by its path, as `_default_config` does without one."""
    return lambda: Path(text)


def with_place(parser: argparse.ArgumentParser, what: str) -> None:
    """The arguments that name either a warehouse or a configuration; this by default.

    Args:
        parser: Gets them.
        what: What is taken of the configuration.
    """
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the estate: {what}; default: {CONFIG_VARIABLE}, else estate.yaml in this folder",
    )
    where.add_argument(
        "--warehouse", type=warehouse, metavar="W", help="where the runs are, without an estate"
    )
    parser.set_defaults(default_config=lambda args: None if args.warehouse else _default_config())


def _default_config() -> Path:
    return Path(os.environ.get(CONFIG_VARIABLE) or "estate.yaml")


def with_run(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a run of a warehouse."""
    with_warehouse(parser)
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument("--source", metavar="S", help="only this source")


def with_json(parser: argparse.ArgumentParser, what: str) -> None:
    """The argument that asks for JSON."""
    parser.add_argument("--json", action="store_true", help=f"print {what}")


def say(*lines: str) -> None:
    """A milestone, for people: on stderr, where it does not mix with what programs read."""
    current_voice().say(*lines)


def show(text: object, end: str = "\n") -> None:
    """What the work of a command came to, on stdout.

    Nobody need read it: how the work has ended is said all the same.
    """
    with suppress(ReaderGoneError):
        print(text, end=end)


def about(run_id: str) -> None:
    """Say which run the command is about, for whoever is told of its end."""
    if (story := _STORY.get()) is not None:
        story.run_id = run_id


def _note_file(config: Path) -> None:
    """Keep which configuration the command reads, for the commands that it suggests."""
    if (story := _STORY.get()) is not None:
        story.config_file = config


def end(reasons: Iterable[ExitReason], then: str = "") -> int:
    """Say why a command does not end with 0, the gravest reason first; its exit code.

    Args:
        reasons: Why; none: it ends with 0.
        then: What to do next where it does.
    """
    ordered = sorted(reasons, key=lambda reason: -reason.code)
    for reason in ordered:
        say(f"exit code {reason.code}: {reason.sentence}", f"  next: {reason.then}")
        _note_reason(reason)
    if then and not ordered:
        say(f"next: {then}")
    return exit_code(ordered)


def next_command(config: Path | None, *words: str | Path) -> str:
    """The command that comes next, as a shell takes it, of the same configuration.

    Args:
        config: The configuration; None: the one that the running command reads, if it reads one.
        words: The command and its arguments.
    """
    if config is None and (story := _STORY.get()) is not None:
        config = story.config_file
    line = shlex.join(["belvedere", *map(str, words)])
    named = config not in {None, _default_config()}
    return f"{line} --config {shlex.quote(str(config))}" if named else line


def _of_this_estate(hint: str) -> str:
    """A hint whose commands about a run are of the configuration that this command reads."""
    return re.sub(
        r"belvedere (\w+) --run-id ([^\s`]+)",
        lambda match: next_command(None, match[1], "--run-id", match[2]),
        hint,
    )


def exit_code(reasons: Iterable[ExitReason]) -> int:
    """The gravest of the codes."""
    return max((reason.code for reason in reasons), default=FINE)
