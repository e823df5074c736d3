"""Tags of our stand-in for Gravitino.

It answers as servers of 1.3.0 and 2.0 have answered (`gravitino_tags.json`): a test compares.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from tests.gravitino_catalogs import Json, Refused, illegal, insist_on_object, missing

TAG_PARTS: Final = ("tags", "objects")
_LEVELS: Final = {"CATALOG": 1, "SCHEMA": 2, "VIEW": 3}


@dataclass
class Tags:
    """What a server keeps of tags.

    Attributes:
        on: Each tag with what has it: kinds and full names.
    """

    on: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def answered(
        self, method: str, parts: list[str], query: Json, body: Any, entities: dict[Any, Json]
    ) -> Json:
        """What a server of 2.0 says of a path below the metalake `m`."""
        if parts[0] == "objects":
            place = parts[1].upper(), parts[2]
            insist_on_object(*place, entities)
            return self._changed(place, body) if method == "POST" else self._shown(place, query)
        if method == "POST":
            if body["name"] in self.on:
                why = f"Tag with name {body['name']} under metalake m already exists"
                raise Refused(1004, "TagAlreadyExistsException", why)
            self.on[body["name"]] = []
        if len(parts) == 1 and method == "GET":
            return {"names": [*self.on]}
        tag = body["name"] if method == "POST" else parts[1]
        if method == "DELETE":
            return {"dropped": self.on.pop(tag, None) is not None}
        if tag not in self.on:
            raise missing("Tag", tag)
        if parts[2:] == ["objects"]:
            held = [{"type": kind.lower(), "fullName": name} for kind, name in self.on[tag]]
            return {"metadataObjects": held}
        return {"tag": {"name": tag, "properties": {}, "inherited": None}}

    def _changed(self, place: tuple[str, str], body: Any) -> Json:
        if body["tagsToAdd"] is None and body["tagsToRemove"] is None:
            raise illegal("tagsToAdd and tagsToRemove cannot both be null")
        on, off = ([tag for tag in body[key] or () if tag in self.on] for key in body)
        if held := [tag for tag in on if place in self.on[tag]]:
            why = f"some tag values {held} already associated to the metadata object"
            raise Refused(1004, "TagAlreadyAssociatedException", why)
        for tag in on:
            self.on[tag].append(place)
        for tag in off:
            self.on[tag] = [other for other in self.on[tag] if other != place]
        return {"names": sorted(self._of(place))}

    def _shown(self, place: tuple[str, str], query: Json) -> Json:
        own, (kind, name) = self._of(place), place
        above = name.split(".")[: _LEVELS[kind] - 1]
        kinds = list(_LEVELS)
        places = [(kinds[at], ".".join(above[: at + 1])) for at in range(len(above))]
        theirs = [tag for each in reversed(places) for tag in self._of(each) if tag not in own]
        if "details" not in query:
            return {"names": [*own, *theirs]}
        shown = [{"name": tag, "inherited": tag in theirs} for tag in (*own, *theirs)]
        return {"tags": [{"properties": {}, "assignmentValues": [], **entry} for entry in shown]}

    def _of(self, place: tuple[str, str]) -> list[str]:
        return [tag for tag, places in self.on.items() if place in places]

    def moved(self, place: str, name: str = "") -> None:
        """Have a view's tags under its new name; without one it is gone, and they are."""
        for tag, places in self.on.items():
            remaining = [other for other in places if other != ("VIEW", place)]
            kept = [("VIEW", name)] if name and len(remaining) < len(places) else []
            self.on[tag] = [*remaining, *kept]


def told_nobody(method: str, parts: list[str]) -> Json:
    """What a server with authorization says to one who may nothing."""
    if (method, parts) == ("GET", ["tags"]):
        return {"names": []}
    raise Refused(1008, "ForbiddenException", "User is not authorized to perform it")


def check_taken(parts: list[str], method: str, body: Any) -> None:
    """Refuse what 1.3.0 refuses: tags on views."""
    if method != "POST" or parts[:2] != ["objects", "VIEW"]:
        return
    if body["tagsToAdd"] is None and body["tagsToRemove"] is None:
        raise Refused(1002, "RuntimeException", "Authorization failed due to system internal error")
    raise illegal("Cannot associate tags for unsupported metadata object type VIEW")
