"""A real Flink on this machine: one local session, without a cluster, over metastores."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SESSION = Path(__file__).parent / "flink" / "FlinkSession.java"
_ANSWER = re.compile(r"(\d+)\t(rows|refused)(?:\t(.*))?")
OPENED = ("lang", "util", "net", "nio", "io", "time", "util.concurrent", "util.concurrent.atomic")
_SITE = """\
<configuration>
  <property><name>hive.metastore.uris</name><value>{uri}</value></property>
  <property><name>fs.hadoop.enabled</name><value>true</value></property>
</configuration>
"""


@dataclass(frozen=True)
class Flink:
    """A Flink that can be asked.

    Attributes:
        java: The program.
        jars: The folder of its jars, the connector of Hive among them.
        dialect: Of its sessions.
        mode: Of its sessions: `batch` or `streaming`.
    """

    java: str
    jars: Path
    dialect: str = "default"
    mode: str = "batch"

    def asked(self, folder: Path, uri: str, statements: Sequence[str]) -> list[list[str] | str]:
        """The rows that each statement gives, or why it is refused, in a session of its own.

        Args:
            folder: For the session's files.
            uri: Of the metastore that the session calls `hc`.
            statements: After the catalog was made and chosen.
        """
        folder.mkdir(exist_ok=True)
        (folder / "hive-site.xml").write_text(_SITE.format(uri=uri), encoding="utf-8")
        making = f"CREATE CATALOG hc WITH ('type'='hive', 'hive-conf-dir'='{folder}')"
        return self.asked_in(folder, making, statements)

    def asked_in(
        self, folder: Path, making: str, statements: Sequence[str]
    ) -> list[list[str] | str]:
        """The same in a catalog of another kind.

        Args:
            folder: For the session's files.
            making: The statement that makes the catalog `hc`.
            statements: After the catalog was made and chosen.
        """
        folder.mkdir(exist_ok=True)
        begin = [making, "USE CATALOG hc"]
        file = folder / "statements.sql"
        file.write_text(";\n".join([*begin, *statements]) + ";\n", encoding="utf-8")
        opened = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in OPENED]
        run = [self.java, "-Xmx700m", *opened, "-cp", f"{self.jars}/*", str(SESSION), str(file)]
        run += [self.dialect, self.mode]
        done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=folder)
        answers = self._answers(done.stdout)
        assert len(answers) == len(begin) + len(statements), done.stdout + done.stderr[-3_000:]
        assert all(isinstance(answer, list) for answer in answers[: len(begin)]), answers
        return answers[len(begin) :]

    def _answers(self, text: str) -> list[list[str] | str]:
        found: list[list[str] | str] = []
        for line in text.splitlines():
            if (head := _ANSWER.fullmatch(line)) and int(head[1]) == len(found):
                found.append([] if head[2] == "rows" else head[3])
            elif found and isinstance(rows := found[-1], list):
                rows.append(line)
        return found
