"""The planner of Flink, over what a view reads and no data: no job, no cluster."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from connectors.judges.entries import columns_told
from connectors.judges.flink import PLANNER_1_20, Flink
from connectors.judges.host import Release
from connectors.judges.jars import COMMONS_MATH, SLF4J, Jar
from discovery.judging.entries import Entry
from discovery.model import Identifier
from discovery.ports import ANALYZE, Statement

_NOWHERE: Final = Entry(
    place=Identifier(("default_catalog", "default"), "view"), columns='[["c", "INT"]]'
)

_LIBRARIES: Final = (
    Jar(
        "org.scala-lang:scala-library:2.12.20",
        "4d8a8f984cce31a329a24f10b0bf336f042cb62aeb435290a1b20243154cfccb",
    ),
    Jar(
        "org.snakeyaml:snakeyaml-engine:2.6",
        "2652199af40c9aa2f1782400d2dfbbf4e5226208c4e05ddd4059c3d6d9cd1505",
    ),
    Jar(
        "org.apache.commons:commons-compress:1.26.0",
        "051aceb8bbcc62d0f5b2b8ac72c53767f9c59bfbd050151e65bef6f51c8ed9c9",
    ),
    Jar(
        "org.apache.commons:commons-lang3:3.18.0",
        "4eeeae8d20c078abb64b015ec158add383ac581571cddc45c68f0c9ae0230720",
    ),
    COMMONS_MATH,
    SLF4J,
)
_JARS_1_20: Final = (
    PLANNER_1_20,
    Jar(
        "org.apache.flink:flink-table-common:1.20.4",
        "ee080ab05ce75d9940dde5e5c37f9fabf76a58bada55ff11b5d009d8794c90c4",
    ),
    Jar(
        "org.apache.flink:flink-table-runtime:1.20.4",
        "a9f9ce8816b8da70301f2331b870ad791cffeb8deb74e93b854b8bec6fb48c7b",
    ),
    Jar(
        "org.apache.flink:flink-table-api-java:1.20.4",
        "e8c3c1b6fe71b828d7bc66dd3d4525861adcbcddec18c449bca4c964eaeb27df",
    ),
    Jar(
        "org.apache.flink:flink-table-api-java-bridge:1.20.4",
        "a2c0ac5fd89079e1bd9e24fde33b6d3384b904c214cd08c3162933e9550e9392",
    ),
    Jar(
        "org.apache.flink:flink-table-api-bridge-base:1.20.4",
        "543937a2198ca1c934adf64400ce5b03ebf599e321d6a755ebee3aac5ad11766",
    ),
    Jar(
        "org.apache.flink:flink-connector-datagen:1.20.4",
        "949ceb1677aae5c27f8cc2906ad01fc93cdbd1af645a9937643af87079b6d0d1",
    ),
    Jar(
        "org.apache.flink:flink-annotations:1.20.4",
        "e45a1fa68d7568e22c689d500e95a5a2d271b69c36ea4fa8a8a499dff35876f1",
    ),
    Jar(
        "org.apache.flink:flink-core:1.20.4",
        "00cdb6aa8636b46db9504da46868c0196ce5ac456358f7f9718238bbc3c313a3",
    ),
    Jar(
        "org.apache.flink:flink-core-api:1.20.4",
        "fc4c1e6dc2dbddeb09aab0eacb6a240b9292de2cdeb50544a0ebfe7cfdc26e68",
    ),
    Jar(
        "org.apache.flink:flink-java:1.20.4",
        "5a9b75dc0c10627d5be863d4bda43f1d4814bbacc73416252a2fce05f6b2996c",
    ),
    Jar(
        "org.apache.flink:flink-metrics-core:1.20.4",
        "2fa06cf96eb4b5bb7ccc3880ecf5931286d48579fbc4fdd2dbdc160e03e1a659",
    ),
    Jar(
        "org.apache.flink:flink-runtime:1.20.4",
        "53e274b2602e5cf328da99f00586e5b2231116bcf984d6db3e5d493d6f3d84d8",
    ),
    Jar(
        "org.apache.flink:flink-streaming-java:1.20.4",
        "c7ce5ad9d28919eb5c6d1f6b858a88db05b99634f12e3267982f530cd4f7dd83",
    ),
    Jar(
        "org.apache.flink:flink-cep:1.20.4",
        "e2c76dca79b6c20644057439b3255e939eefaf14b301b881ea8d77c269759b73",
    ),
    Jar(
        "org.apache.flink:flink-shaded-asm-9:9.5-17.0",
        "a79273d4fbea1683b5fe81bce25d7fe552a542690481132f7ded034a8f00169e",
    ),
    Jar(
        "org.apache.flink:flink-shaded-guava:31.1-jre-17.0",
        "03442ae97c4ca34388568cbce0e67e9911b0137b2b3849dff7a550008d5a4336",
    ),
    Jar(
        "org.apache.flink:flink-shaded-jackson:2.14.2-17.0",
        "37e87311498ae8da80adb2aa09ab6e9739d8611e09868e7220822206c739231e",
    ),
    *_LIBRARIES,
)


class FlinkAnalyzer(Flink):
    """Accepts what Flink plans: names, types, and the columns that are declared by their number.

    A statement without an entry is a view of one column that reads nothing.
    """

    program = "FlinkAnalyzer"
    part = "planner"
    grade = ANALYZE
    start_within = 300.0  # seconds: its classes are many, and machines are busy
    jars = (
        Jar(
            "org.apache.flink:flink-table-planner_2.12:2.3.0",
            "788ac8ce1c41c5d4a0430bb7d3b34eb6db476d9490bdab6679aabf5dc2cdc320",
        ),
        Jar(
            "org.apache.flink:flink-table-common:2.3.0",
            "75da42076ecb2c64735b46c837d2f7bd7c7d07e03a2cf59661ca2ca843db643b",
        ),
        Jar(
            "org.apache.flink:flink-table-runtime:2.3.0",
            "bd3861d3b567e43b1aa3ec3f79c0f105d317e2b03e3e8e111e335e13cc8eb95b",
        ),
        Jar(
            "org.apache.flink:flink-table-api-java:2.3.0",
            "c0316b0368c1c79a70b94967e5057d5e3fa473a575da4624f35d71c0e05fec46",
        ),
        Jar(
            "org.apache.flink:flink-table-api-java-bridge:2.3.0",
            "c68ccd76f50d53d30cbaf73010ff3288716e1ff3d8b2dd4aecca5154a17cb997",
        ),
        Jar(
            "org.apache.flink:flink-table-api-bridge-base:2.3.0",
            "bbc35a81d847ed3b2587480615482898e34651ca2b26272bd53957c663070426",
        ),
        Jar(
            "org.apache.flink:flink-connector-datagen:2.3.0",
            "bb49eb8ce91b74bb4b1bd1549647b9acc3515650a01c2635c02356401e651f0c",
        ),
        Jar(
            "org.apache.flink:flink-annotations:2.3.0",
            "43eef36e172f5bc727a63c75347ba5cc4ceeb569f5daaf64421da248c224308a",
        ),
        Jar(
            "org.apache.flink:flink-core:2.3.0",
            "26b63fadf4808727cfbdc5271ee600144dacf15db8aab5a77c1e59005ea140aa",
        ),
        Jar(
            "org.apache.flink:flink-core-api:2.3.0",
            "f9f3c9bdb4e0c0d0f15b3e2e4def4ee6cd56edfc55c9514b9004a1db4a51e351",
        ),
        Jar(
            "org.apache.flink:flink-runtime:2.3.0",
            "490e92d30cbd766e070f2bfc3c011b1830dc165894be2735a5585b8b9e76cb69",
        ),
        Jar(
            "org.apache.flink:flink-streaming-java:2.3.0",
            "f0ab7c27603c2066bcc2e6075d09448341fd7fa4713fbe00d6a726acf5ea9ad9",
        ),
        Jar(
            "org.apache.commons:commons-text:1.10.0",
            "770cd903fa7b604d1f7ef7ba17f84108667294b2b478be8ed1af3bffb4ae0018",
        ),
        Jar(
            "org.apache.flink:flink-metrics-core:2.3.0",
            "ea5f85e7490ab3363230f771edb78ea69856ac2eaf75e340db99c67f2c72b982",
        ),
        Jar(
            "org.apache.flink:flink-cep:2.3.0",
            "a790b8e74fd3acd11bba2b73a85820469b7581d78c26a06d8f2cdff8097d9088",
        ),
        Jar(
            "org.apache.flink:flink-shaded-asm-9:9.9.1-21.0",
            "abd67048e87fb1306e7b9fce372af7bf9ca0bbf026ae263c817edf647c7f4159",
        ),
        Jar(
            "org.apache.flink:flink-shaded-guava:33.5.0-jre-21.0",
            "6644e530e098362a964467902b5ecf615aca63ca4424351b69e37108aa09b288",
        ),
        Jar(
            "org.apache.flink:flink-shaded-jackson:2.20.1-21.0",
            "696df51ebc642b2832db3b02517e60fee8d96fb1fe23f519c9897d02ff845ab2",
        ),
        *_LIBRARIES,
    )
    others: ClassVar[Mapping[str, Release]] = {"1.20": Release(17, _JARS_1_20)}

    def before(self, statement: Statement) -> tuple[str, ...]:
        """The entry, as `java/FlinkAnalyzer.java` takes it."""
        return tuple(_entry_words(statement.entry or _NOWHERE))


def _entry_words(entry: Entry) -> Iterator[str]:
    yield from entry.place.namespace
    yield "whole" if entry.by_position else "short"  # Flink itself writes names out
    yield from columns_told(entry.columns)
    yield str(len(entry.bases))
    for base in entry.bases:
        yield from base.name
        yield from columns_told(base.columns)
