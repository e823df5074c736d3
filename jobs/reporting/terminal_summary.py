"""What a report says, on the terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from discovery.display import on_one_line
from discovery.judging.standing import Standing
from jobs.console.terminal import bold, dim, green, red, yellow
from reports.head import ReportHead, most_first
from reports.headline import destinations, title

_STYLES: Final[dict[str, Callable[[str], str]]] = {
    Standing.READY: green,
    Standing.REVIEW: yellow,
    Standing.BLOCKED: red,
    Standing.NOT_JUDGED: dim,
}
_CAUSES: Final = 8
_REASONS: Final = 4  # of each engine
_MOST: Final = 60  # characters of an example


def print_summary(head: ReportHead, folder: Path) -> None:
    """Print whether the estate can move, what holds it back, and where the files are."""
    print(f"{bold(title(head))}  {dim(f'run {head.run.run_id}')}")
    for sentence, served in destinations(head):
        print(f"  {sentence if served else yellow(sentence)}")
    for word in Standing:
        print(f"  {_STYLES[word](f'{head.standing.get(word, 0):>8,} {word}')}")
    if head.drift is not None:
        changes = [f"{number:,} {sort}" for sort, number in head.drift.counts.items() if number]
        print(f"since {head.drift.against}: {', '.join(changes) or 'nothing has changed'}")
    if head.engines is None:
        print(dim("no engine was asked: belvedere assess asks those that `engines` names"))
    for engine, counts in head.rejections.items():
        most = most_first(counts)[:_REASONS]
        reasons = ", ".join(f"{number:,} {code}" for code, number in most)
        print(f"not read by {engine}: {reasons}")
    for cause in head.causes[:_CAUSES]:
        print(f"  {cause.number:>8,} {bold(cause.code)} {dim(on_one_line(cause.example[:_MOST]))}")
        print(f"           {dim('→')} {on_one_line(cause.fix)}")
    for text in head.over:
        print(red(f"over the threshold: {text}"))
    print(f"report: {folder}")
