"""The embedded metastore's server, where its Java goes first."""

from dataclasses import dataclass

import pytest
from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError

from jobs.embedded.metastore import serve_while_there


@dataclass
class Server:
    """What serves until it fails."""

    error: Exception
    was_asked: bool = False

    def serve(self) -> None:
        """Fail."""
        self.was_asked = True
        raise self.error


@pytest.mark.parametrize("error", [Py4JError("calling o16.serve"), Py4JNetworkError("no answer")])
def test_a_java_that_is_gone_ends_its_server_without_a_trace(error: Exception) -> None:
    server = Server(error)
    serve_while_there(server)
    assert server.was_asked


def test_what_java_says_of_its_server_is_not_lost() -> None:
    error = Py4JJavaError.__new__(Py4JJavaError)
    with pytest.raises(Py4JJavaError):
        serve_while_there(Server(error))
