"""The summary of a plan, for people, in Markdown."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from discovery.display import quantity
from discovery.model import encoded
from discovery.ports import WRITING
from reports.markdown import code, text

_SHOWN: Final = 20  # reasons why rights are not given; `plan.json` has all


def render(head: Mapping[str, Any], stays: int, reasons: Sequence[Mapping[str, Any]]) -> str:
    """The text.

    Args:
        head: The plan's `plan.json`.
        stays: How many views go to no target.
        reasons: What is set aside and what is lost: target, action, code, views, key, reason.
    """
    lines = [f"# Plan {text(head['plan'])} of run {text(head['crawl'])}", ""]
    for remark in head.get("remarks", ()):
        lines += [f"**{text(remark)}**", ""]
    for name, target in head["targets"].items():
        lines += _target(name, target, [reason for reason in reasons if reason["target"] == name])
    if stays:
        going = quantity(stays, "view goes", "views go")
        lines += [f"{going} to no target.", ""]
    lines += [
        "Delete a line of `changes.jsonl`, `namespaces.jsonl`, `functions.jsonl`, `rights.jsonl`",
        "or `tags.jsonl`, and it is not written. Drafts of a line are written only once you set",
        "its `adopt` to true; a view that is blocked without them is not written before. Then run",
        "`belvedere apply` with this folder.",
        "",
    ]
    return "\n".join(lines)


def _target(
    name: str, target: Mapping[str, Any], reasons: Sequence[Mapping[str, Any]]
) -> list[str]:
    why = str(target["route"]).removeprefix("as ")
    route = f"Route: {text(target['store'] or 'none')}, as {text(why)}."
    if reader := target.get("reader"):
        sentence = f"{text(reader[0].upper() + reader[1:])}."
        route += f" {sentence}" if target["served"] else f" **{sentence}**"
    elif not target["served"]:
        route += " **Stored, not served**: no stock server of this version shows these views."
    counts = ", ".join(f"{number} {action}" for action, number in target["counts"].items())
    writes = sum(target["counts"].get(action, 0) for action in WRITING)
    lines = [f"## {text(name)}: {writes} to write", "", route, "", f"{counts or 'No view'}.", ""]
    if target["namespaces"]:
        names = ", ".join(code(encoded(levels)) for levels, _ in target["namespaces"])
        lines += [f"Namespaces to be made first: {names}.", ""]
    for part, shown in _PARTS.items():
        if content := target.get(part):
            lines += [*shown(content), ""]
    for reason in reasons:
        example = f"for example {code(reason['key'])}"
        if reason["action"] == "loss":
            lines.append(f"- lost in {reason['views']}: {text(reason['code'])} ({example})")
        else:
            sentence = f"{text(reason['reason'])} ({example})"
            lines.append(
                f"- {reason['action']} {reason['views']}, {code(reason['code'])}: {sentence}"
            )
    return [*lines, ""] if reasons else lines


def _functions(functions: Sequence[Mapping[str, Any]]) -> list[str]:
    """The functions that views call: those that are made before them, and those that are there."""
    lines = ["Functions that its views call:", ""]
    for function in functions:
        state = "is there already" if function["action"] == "keep" else "made before them"
        files = ", ".join(code(uri) for _, uri in function["files"])
        name = function["implementation"]
        description = f"{state}, {f'class {code(name)}' if name else text(function['language'])}"
        description += f", loaded from {files}, which is not copied" if files else ""
        lines.append(
            f"- {code(encoded((*function['namespace'], function['name'])))}: {description}"
        )
    return lines


def _rights(rights: Mapping[str, Any]) -> list[str]:
    """What is given of rights, how much is there, and what is not given."""
    created = [change for change in rights["changes"] if change["action"] == "create"]
    numbers = {
        "role": sum(1 for change in created if not (change["right"] or change["member"])),
        "privilege": sum(1 for change in created if change["right"]),
        "member": sum(1 for change in created if change["role"] and change["member"]),
        "owner": sum(1 for change in created if not change["role"]),
    }
    given = ", ".join(quantity(number, name) for name, number in numbers.items() if number)
    present = len(rights["changes"]) - len(created)
    lines = [f"Rights to be given: {given or 'none'}; there already: {present:,}."]
    if remark := rights["remark"]:
        lines += ["", f"{text(remark)}."]
    if left := rights["left"]:
        lines += [
            "",
            f"Not given ({len(left):,} reasons, {rights['blocked']:,} of them for safety):",
        ]
        lines += ["", *(f"- {text(line)}" for line in left[:_SHOWN])]
        if unshown := len(left) - _SHOWN:
            lines += [f"- and {unshown:,} more, in `plan.json`"] if unshown > 0 else []
    return lines


def _tags(tags: Mapping[str, Any]) -> list[str]:
    """What is done with tags, how many views have theirs, and what gets none."""
    created = sum(1 for change in tags["changes"] if not change["view"])
    views = [change for change in tags["changes"] if change["view"]]
    other = [view for view in views if view["before"] != view["after"]]
    instead = sum(1 for tag in other if tag["before"])
    getting = quantity(len(other), "view gets its own", "views get theirs")
    summary = f"Tags: {created:,} to be made, {getting}"
    summary += f", {instead:,} of them instead of another" if instead else ""
    lines = [f"{summary}; there already: {len(views) - len(other):,}."]
    if remark := tags["remark"]:
        lines = [f"Tags: none, as {text(remark)}."]
    return [*lines, *(f"- none: {text(line)}" for line in tags["left"])]


def _edits(edits: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is changed of namespaces, and what of them stays though the source says otherwise."""
    lines = ["Namespaces that get what their source says of them:", ""]
    for edit in edits:
        names = [code("comment" if key is None else key) for key, _, _ in edit["fields"]]
        description = f"{', '.join(names)} changed" if names else "nothing changed"
        if edit["stays"]:
            description += f"; not changed, as the target cannot: {text(', '.join(edit['stays']))}"
        lines.append(f"- {code(encoded(tuple(edit['namespace'])))}: {description}")
    return lines


_PARTS: Final[Mapping[str, Callable[[Any], list[str]]]] = {
    "edits": _edits,
    "functions": _functions,
    "rights": _rights,
    "tags": _tags,
}
