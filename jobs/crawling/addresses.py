"""Where the sources of a run are, as far as it may be said: what reports name datasets by."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import orjson

from connectors.registry import Connector
from discovery.addresses import SourceAddress
from jobs.crawling import tables as rows
from jobs.warehouse.warehouse import Warehouse


def source_addresses(
    warehouse: Warehouse, run_id: str, sources: Mapping[str, Connector]
) -> dict[str, SourceAddress]:
    """The address of each source that has one."""
    addresses = {name: connector.address() for name, connector in sources.items()}
    return {
        name: _complete_address(warehouse, run_id, name, source_address)
        for name, source_address in addresses.items()
        if source_address is not None
    }


def _complete_address(
    warehouse: Warehouse, run_id: str, source: str, address: SourceAddress
) -> SourceAddress:
    """The address with Glue's account, which each of its answers has."""
    if address.system != "glue" or address.account:
        return address
    return replace(address, account=next(_read_accounts(warehouse, run_id, source), ""))


def _read_accounts(warehouse: Warehouse, run_id: str, source: str) -> Iterator[str]:
    outcomes = warehouse.table(
        rows.OUTCOMES, run_id, where={"source": [source], "outcome": ["view"]}, columns=["raw"]
    )
    for row in outcomes:
        entry = orjson.loads(row["raw"] or "{}")
        account = str((entry.get("payload") or {}).get("CatalogId") or "").partition(":")[0]
        if account.isdecimal():
            yield account
