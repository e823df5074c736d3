"""The headline of a run: whether the estate can move, to where, and who will see it there."""

from collections.abc import Iterator

from discovery.judging.standing import Standing
from discovery.ports import ASIDE, WRITING, Action
from reports.head import ReportHead, TargetPlan, counted


def title(head: ReportHead) -> str:
    """The answer in a sentence; that nobody was asked is an answer of its own, not 0 %."""
    if head.engines is None:
        return f"{views_text(head.total)}, not judged yet"
    unjudged = head.standing.get(Standing.NOT_JUDGED, 0)
    if unjudged and unjudged == head.total:
        return f"{views_text(head.total)}, none of which could be judged"
    if not head.total:
        return "no views"
    ready = percent_text(head.standing.get(Standing.READY, 0), head.total)
    share = f"{ready} of {views_text(head.total)} can move as they are"
    return f"{share}, {unjudged:,} could not be judged" if unjudged else share


def views_text(number: int) -> str:
    """So many views."""
    return f"{number:,} {'view' if number == 1 else 'views'}"


def percent_text(number: int, total: int) -> str:
    """A part of all in whole percent: 0 % and 100 % are none and all, and nothing else."""
    if not total:
        return "none"
    rounded = round(100 * number / total)
    return f"{rounded if number in {0, total} else min(max(rounded, 1), 99)}%"


def destinations(head: ReportHead) -> Iterator[tuple[str, bool]]:
    """A sentence for each target of the latest plan, and whether some server shows it there."""
    for target_plan in head.plan or ():
        if target_plan.store:
            yield _destination(target_plan), target_plan.served


def _destination(target: TargetPlan) -> str:
    counts, drops = target.actions, target.actions.get(Action.DROP, 0)
    number = counted(counts, WRITING) - drops
    adopted = counted(target.written, ASIDE)  # drafts of which somebody did so since
    written = counted(target.written, WRITING) - target.written.get(Action.DROP, 0) + adopted
    kept, waiting = counts.get("keep", 0), max(0, target.waiting - adopted)
    aside = counted(counts, ASIDE) - max(adopted, target.waiting)
    parts = [_done(number + adopted, written, "written", "to write")]
    if drops:
        parts.append(_done(drops, target.written.get(Action.DROP, 0), "dropped", "to drop"))
    parts += [f"{kept:,} there already"] if kept else []
    parts += [f"{waiting:,} by drafts, once adopted"] if waiting else []
    parts += [f"{aside:,} set aside"] if aside > 0 else []
    unserved = "" if target.served else "stored as rows that no Gravitino serves"
    seen = target.reader or unserved
    return f"{target.target}: {', '.join(parts)}, by {target.store}{f'; {seen}' if seen else ''}"


def _done(number: int, done: int, done_word: str, left_word: str) -> str:
    """How much of something has been carried out."""
    if not done:
        return f"{views_text(number)} {left_word}"
    if done == number:
        return f"{views_text(number)} {done_word}"
    return f"{done:,} of {views_text(number)} {done_word}"
