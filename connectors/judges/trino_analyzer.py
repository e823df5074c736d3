"""The analyzer of Trino 435, the last that runs on Java 17, over what a view reads and no data.

Of what it stands on there are the jars that an analysis loads, and of fastutil the small one.
"""

from collections.abc import Iterator
from itertools import product
from typing import ClassVar, Final

from connectors.judges.entries import columns_told
from connectors.judges.host import ParserHost
from connectors.judges.jars import SLF4J, Jar
from connectors.judges.trino import Trino
from discovery.functions import Signature
from discovery.judging.entries import Entry
from discovery.model import Identifier
from discovery.ports import ANALYZE, Statement

_NOWHERE: Final = Entry(
    place=Identifier(("lake", "default"), "v"), columns="[]", context=("lake", "default")
)


class TrinoAnalyzer(ParserHost):
    """Accepts what Trino gives columns back for: names, types and the columns that are declared.

    A statement without an entry is a query that reads nothing.
    """

    engine = Trino.engine
    program = "TrinoAnalyzer"
    part = "analyzer"
    grade = ANALYZE
    start_within = 300.0  # seconds: its classes are many, and machines are busy
    jars: ClassVar[tuple[Jar, ...]] = (
        Jar(
            "io.trino:trino-main:435",
            "8e772ee881ad02ff89257b5aa4d128ffafc1f7333f9f445b4176bc4c5fabfb42",
        ),
        Jar(
            "io.trino:trino-cache:435",
            "429f19f4768dc30fb97feed7467bc585ff814380d62aeac64ccebe28c481ccaa",
        ),
        Jar(
            "io.trino:trino-client:435",
            "44e17b69d7f218d22ca4a15b92a4bac0f6acdd1067fda55ccc4d5eee7bba13b6",
        ),
        Jar(
            "io.trino:trino-plugin-toolkit:435",
            "03552bdeb0e3017c72d38bf76b7ac3359a0316a8625702a88756df3a63280437",
        ),
        Jar(
            "io.trino:trino-spi:435",
            "78b0493ec48d38166515c4b2f0ed158feeed0ac974c2551b5c6166c1b61ed949",
        ),
        Jar(
            "com.fasterxml.jackson.core:jackson-annotations:2.15.3",
            "aae865c3d88256d61b11523cb1e88bd48d5b9ad5855fa1fc859504fd2204708a",
        ),
        Jar(
            "com.fasterxml.jackson.core:jackson-core:2.15.3",
            "51fab7aad51ed588482edc507fd542747936c5094d1ab76ed21ddb63b96b610d",
        ),
        Jar(
            "com.fasterxml.jackson.core:jackson-databind:2.15.3",
            "c3c53333a2172a80678bda1803e39cff45bec6ae3e9c7d4f44a81ec4e2ab18dc",
        ),
        Jar(
            "com.fasterxml.jackson.datatype:jackson-datatype-guava:2.15.2",
            "8e1bd8914464f4ca8ed1f05db4f51d5e6eea92974977eb80c2a87832c7fb9afb",
        ),
        Jar(
            "com.fasterxml.jackson.datatype:jackson-datatype-jdk8:2.15.2",
            "5be6e20504b1eab7a40f98c4f98bd92e9177d6e6e20f183928e7d207fc66cb78",
        ),
        Jar(
            "com.fasterxml.jackson.datatype:jackson-datatype-joda:2.15.2",
            "0fb215333a22075bc344f0fa63ae0bc76b9c2123587b1ede3732a0d36ab54583",
        ),
        Jar(
            "com.fasterxml.jackson.datatype:jackson-datatype-jsr310:2.15.2",
            "7574c81ad570476ef6aad26f419288fd466733f3315bee3012f2f29c9dc008c8",
        ),
        Jar(
            "com.fasterxml.jackson.module:jackson-module-parameter-names:2.15.2",
            "2f624e16373508f8e3a1535f5a6e9d80286b87a899fd128e5fded268625fe913",
        ),
        Jar(
            "com.github.oshi:oshi-core:6.4.8",
            "fc5dcf57dc6c89c9df41c276c9dce982c8cbdcefac431e7fd29a7737b05cb7f3",
        ),
        Jar(
            "com.google.inject:guice:7.0.0",
            "de5b0e359bd7b03ca42806b368846efd95484380fe05ae2a4ea71bc338c59c00",
        ),
        Jar(
            "io.airlift:aircompressor:0.25",
            "610938768aee8e4279af55f35bba5276d34cac447d4614897e26deb907e3115d",
        ),
        Jar(
            "io.airlift:bytecode:1.5",
            "4b084a3e5c3c9400685ef6c709ebdb9ebfb80c9636f980ef854aa2c5e47d8187",
        ),
        Jar(
            "io.airlift:joni:2.1.5.3",
            "521c1bcc51d5b1de83dcdf285f48c01afd5dbb434b34fdc61442e63b67562efe",
        ),
        Jar(
            "io.airlift:json:239",
            "9dfc1a5c3fcd407aa3502fba068463746714d1fc13bfe225421203ec13f2a6e2",
        ),
        Jar(
            "io.airlift:log:239",
            "c15554cf303f33af50e51fc3d8ff6f989ff2aad6ea318126034fee1126c7a621",
        ),
        Jar(
            "io.airlift:slice:2.2",
            "fac66665e5ef89c5547ba92fc5d3d45983bccbd6be48ad3b3c619295c37bef29",
        ),
        Jar(
            "io.airlift:stats:239",
            "fd721f02a050d52cc5eec387c8dc4f9b1ae2bd96da6495a7cdc133b927ba7ffb",
        ),
        Jar(
            "io.airlift:units:1.10",
            "d9e813864bcd3838ae9124fad0cec4e3a475ec7f8d98f761944fa548262ccd5f",
        ),
        Jar(
            "io.opentelemetry:opentelemetry-api:1.31.0",
            "7de2c7268850a9c1bae4401cf264febb871d811c6be8e5b3fb2cae52886e8ec1",
        ),
        Jar(
            "io.opentelemetry:opentelemetry-context:1.31.0",
            "664896a5c34bcda20c95c8f45198a95e8f97a1cd5e5c2923978f42dddada787d",
        ),
        Jar(
            "it.unimi.dsi:fastutil-core:8.5.12",
            "f31c20f5b06312f3d5e06e6160a32e274d819aa6cebf27528b26b6b5c0c1df19",
        ),
        Jar(
            "jakarta.annotation:jakarta.annotation-api:2.1.1",
            "5f65fdaf424eee2b55e1d882ba9bb376be93fb09b37b808be6e22e8851c909fe",
        ),
        Jar(
            "jakarta.inject:jakarta.inject-api:2.0.1",
            "f7dc98062fccf14126abb751b64fab12c312566e8cbdc8483598bffcea93af7c",
        ),
        Jar(
            "joda-time:joda-time:2.12.5",
            "10628411ecb40c4634196c544f34681abdeef826f377096357433d1f9a135bc6",
        ),
        Jar(
            "net.java.dev.jna:jna-platform:5.14.0",
            "ae4caceb3840730c2537f9b7fb55a01baba580286b4122951488bcee558c2449",
        ),
        Jar(
            "net.java.dev.jna:jna:5.13.0",
            "66d4f819a062a51a1d5627bffc23fac55d1677f0e0a1feba144aabdd670a64bb",
        ),
        Jar(
            "org.apache.lucene:lucene-analyzers-common:8.11.2",
            "d3def04f7d0d2c891cf2c7e3dfc14c3b53545bec1cb8732ae033f25164e5c931",
        ),
        Jar(
            "org.openjdk.jol:jol-core:0.16",
            "7ba48c1dbcd8b6ce5ca722cabc4a59f5a3fac8e87bddc02e7a5cd9b63d52eb55",
        ),
        Jar(
            "org.ow2.asm:asm-tree:9.4",
            "c42d479cf24566a21eb20af7eeaeef4e86bdb4a886306cf72f483b65e75b2acf",
        ),
        Jar(
            "org.ow2.asm:asm-util:9.4",
            "3d7932b93ff55056641e7cfb601f96bcd5cd071e1b0503c78a5014232297a23e",
        ),
        Jar(
            "org.ow2.asm:asm:9.6",
            "3c6fac2424db3d4a853b669f4e3d1d9c3c552235e19a319673f887083c2303a1",
        ),
        *Trino.jars,
        SLF4J,
    )

    def before(self, statement: Statement) -> tuple[str, ...]:
        """The entry, as `java/TrinoAnalyzer.java` takes it."""
        return tuple(_entry_words(statement.entry or _NOWHERE))


def _entry_words(entry: Entry) -> Iterator[str]:
    yield from (*entry.place.namespace, entry.place.name)
    yield from columns_told(entry.columns)
    yield from entry.context
    yield str(len(entry.bases))
    for base in entry.bases:
        yield from base.name
        yield from columns_told(base.columns)
    yield str(len(entry.path))
    for schema in entry.path:
        yield from schema
    yield str(len(entry.functions) * len(entry.catalogs))
    for catalog, known_function in product(entry.catalogs, entry.functions):
        takes, returns = known_function.signature or Signature((), "")
        yield from (catalog, *known_function.namespace, known_function.name, returns)
        yield str(len(takes))
        yield from (parameter.type for parameter in takes)
