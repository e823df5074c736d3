"""Functions in a Hive Metastore, beside the views of the store `hms`.

A metastore compares nothing when it drops a function, and keeps no mark of who has made it: so one
that is there is never replaced, and what is dropped is looked at just before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from connectors.clients.metastore_functions import KINDS, function_of, payload_of
from connectors.clients.metastore_writer import MetastoreWriter
from discovery.errors import BelvedereError, CollisionError, NotHeldError, UnreachableError
from discovery.functions import JAVA, TRINO_SQL, Function, FunctionStore
from discovery.model import Identifier
from discovery.secrets_in_texts import MASK


class MetastoreFunctions(FunctionStore):
    """What a metastore keeps functions in.

    Args:
        client: Of the store, which closes it.
    """

    def __init__(self, client: MetastoreWriter) -> None:
        self._client = client

    def hold(self, function: Function) -> Function:
        """Names in lower case, as Hive and Spark write them.

        Raises:
            NotHeldError: It is no class of Java, or what it is loaded from cannot be said.
        """
        hint = "make it at the target by hand"
        if function.language == TRINO_SQL:
            raise NotHeldError(
                "it is SQL of Trino, which alone writes it into a metastore", hint=hint
            )
        if function.language != JAVA or not function.implementation:
            language = function.language or "an unknown language"
            raise NotHeldError(
                f"it is written in {language}, and a metastore keeps classes", hint=hint
            )
        if len(function.namespace) != 1:
            raise NotHeldError("a metastore has one level of databases", hint=hint)
        for file in function.files:
            if file.kind not in KINDS.values():
                raise NotHeldError("nobody has told what it is loaded from: assess anew", hint=hint)
            if MASK in file.uri:
                raise NotHeldError("the address of a file of it has a secret in it", hint=hint)
        return _lowered(replace(function, arguments=None))

    def present(self, places: Sequence[Identifier]) -> Iterator[Function]:
        """Those that are there; one call each."""
        for place in places:
            payload = self._client.function(place.namespace[0], place.name)
            if payload is not None:
                yield _lowered(function_of(payload))

    def make(self, function: Function) -> bool:
        """Make it; where an error comes, look whether it was made: a listener's comes behind."""
        try:
            self._client.create_function(payload_of(function))
        except UnreachableError:
            raise
        except BelvedereError as error:
            stored = next(self.present([function.place]), None)
            if stored is None or not function.does_as(stored):
                raise
            return not isinstance(error, CollisionError)  # which says that somebody was faster
        return True

    def drop(self, function: Function) -> bool:
        """Drop it; the files stay. Where an error comes, look whether it is gone."""
        try:
            return self._client.drop_function(function.namespace[0], function.name)
        except UnreachableError:
            raise
        except BelvedereError:
            if next(self.present([function.place]), None) is None:
                return True
            raise


def _lowered(function: Function) -> Function:
    levels = tuple(level.lower() for level in function.namespace)
    return replace(function, namespace=levels, name=function.name.lower())
