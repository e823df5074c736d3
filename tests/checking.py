"""What `belvedere check` finds in a warehouse on this machine; it prints both lists."""

from jobs import check
from jobs.keeping.stock import stock
from jobs.warehouse.warehouse import Warehouse


def damage(place: str) -> list[str]:
    """What is not as it was written, a sentence for each."""
    warehouse = Warehouse(place)
    return [*check.damage(warehouse, stock(place, warehouse, None), None)]


def lost_rows(place: str) -> list[str]:
    """What has files that were committed, and no row that says so, a sentence for each."""
    warehouse = Warehouse(place)
    return [*check.find_lost_rows(stock(place, warehouse, None), warehouse)]
