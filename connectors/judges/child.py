"""The child process of a judge: a JVM with an engine's parser; statements in, verdicts out.

Started by `host.py` as `python -m connectors.judges.child`; talks over its standard input and
output in frames (four bytes of length, then JSON). The first frame names the class path and the
parser.
"""

import json
import struct
import sys
from collections.abc import Callable
from typing import IO, Any, Final

import jpype

GAVE_UP: Final = "the parser gave up: "
_LENGTH: Final = struct.Struct(">I")
_JVM: Final = ("-Xmx512m", "-Xss16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


def read_frame(stream: IO[bytes]) -> Any:  # noqa: ANN401 - JSON
    """The next frame; None at the end of the stream."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    body = stream.read(_LENGTH.unpack(head)[0])
    return json.loads(body)


def write_frame(stream: IO[bytes], data: object) -> None:
    """Write a frame."""
    body = json.dumps(data).encode("utf-8", "surrogatepass")
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def main() -> None:
    """Serve until the parent closes the stream."""
    received, answers = sys.stdin.buffer, sys.stdout.buffer
    start = read_frame(received)
    jpype.startJVM(*_JVM, classpath=start["classpath"], convertStrings=False)
    parse = _parser(start["parser"])
    write_frame(answers, "ready")
    while (statements := read_frame(received)) is not None:
        write_frame(answers, [_message(parse, statement) for statement in statements])


def _parser(name: str) -> Callable[[str], object]:
    """The call `package.Class.method`: static, or of the class's only instance in Scala."""
    path, _, method = name.rpartition(".")
    owner = jpype.JClass(path)
    found: Callable[[str], object] = getattr(getattr(owner, "MODULE$", owner), method)
    return found


def _message(parse: Callable[[str], object], statement: str) -> str | None:
    """None if the parser accepts the statement, else what it says.

    An error of the machine, such as an exhausted stack, says nothing of the statement.
    """
    try:
        parse(statement)
    except jpype.JException as error:
        if isinstance(error, jpype.JClass("java.lang.Error")):
            return f"{GAVE_UP}{error.getClass().getName()}"
        return str(error.getMessage() or error.getClass().getName())
    return None


if __name__ == "__main__":
    main()
