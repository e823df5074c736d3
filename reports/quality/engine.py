"""Suites evaluated by Great Expectations, on pandas frames, one after the other.

What it would do unasked is turned off: it keeps nothing (an ephemeral context, stores in memory, no
site in a temporary folder), sends nothing, shows no progress bars. What it leaves to the reader is
decided here: an expectation that could not be evaluated is no failed one, and one over no rows has
not passed. It must not be run in threads: there is one current context in a process.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from discovery.errors import ConfigurationError
from discovery.packages import missing
from discovery.secrets_in_texts import masked, masked_json
from reports.quality.model import ROWS, ExpectationSeverity, Expected, Own, Result, Status, Suite

_SEVERITIES: Final = {ExpectationSeverity.ERROR: "critical", ExpectationSeverity.WARNING: "warning"}
_EXAMPLES: Final = 5
NO_ROWS: Final = "there are no rows, or no values in them: it would pass whatever it says"
_COUNT: Final = "expect_table_row_count_to_be_between"
_OF_TABLES: Final = "expect_table_"


@dataclass(slots=True)
class Evaluated:
    """What came of all suites.

    Attributes:
        results: In the order of the suites.
        documents: By the suite's name, Great Expectations' own result as JSON.
    """

    results: list[Result] = field(default_factory=list)
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def gates(self) -> bool:
        """Whether the run falls short of what is expected."""
        return any(result.gates for result in self.results)


def evaluate(suites: Iterable[Suite], data_docs: Path | None = None) -> Evaluated:
    """Evaluate the suites.

    Args:
        suites: Each may be made when it is its turn.
        data_docs: Where Great Expectations shall write its own pages; they load styles, scripts and
            a logo from public servers when they are opened.

    Raises:
        ConfigurationError: Great Expectations is not installed.
    """
    with _set_main_file():
        context = _open_context(data_docs)
        asset = context.data_sources.add_pandas("warehouse").add_dataframe_asset("table")
    batch = asset.add_batch_definition_whole_dataframe("whole")
    evaluated = Evaluated()
    for number, suite in enumerate(suites):
        if suite.frame is None:
            evaluated.results += [
                _not_evaluated(suite, expected, suite.missing) for expected in suite.expected
            ]
            continue
        name = f"{number:02d}-{suite.table}"
        document = _validate(context, batch, suite, name)
        evaluated.documents[name] = masked_json(document)  # it quotes rows that fail
        evaluated.results += _results(suite, document)
    if data_docs is not None:
        context.build_data_docs()
    return evaluated


def check(own: Sequence[Own]) -> None:
    """Refuse expectations that Great Expectations does not know, or not with these arguments.

    Raises:
        ConfigurationError: With every one of them.
    """
    problems = []
    library = _import_library("great_expectations.exceptions")
    for number, expectation in enumerate(own):
        expected = Expected(
            name=expectation.name,
            meaning="",
            type=expectation.type,
            kwargs=expectation.kwargs,
            allowed=expectation.allow,
        )
        try:
            _expectation(expected)
        except library.ExpectationNotFoundError:
            problem = f"Great Expectations has no {expectation.type}"
            problems.append(f"quality.expectations[{number}]: {problem}")
        except (ValueError, TypeError) as error:
            reason = "; ".join(line.strip() for line in str(error).splitlines()[1:]) or str(error)
            problems.append(f"quality.expectations[{number}]: {expectation.type}: {reason}")
    if problems:
        hint = "types and arguments are those of https://greatexpectations.io/expectations"
        raise ConfigurationError("\n".join(problems), hint=hint)


@contextmanager
def _set_main_file() -> Iterator[None]:
    """Keep PySpark's Connect, which Great Expectations imports, from ending the process.

    It takes a main module without a file (`python -c`, a program that embeds Python) for a doctest,
    and exits with 0 where gRPC is not installed: pyspark 4.x, `check_dependencies`.
    """
    main = sys.modules["__main__"]
    if hasattr(main, "__file__"):
        yield
        return
    main.__file__ = __file__
    try:
        yield
    finally:
        del main.__file__


def _import_library(name: str) -> Any:  # noqa: ANN401 - a module that may not be installed
    os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read while it is imported
    try:
        with _set_main_file():
            return import_module(name)
    except ModuleNotFoundError as error:
        raise missing(error, "the check of a run") from error


def _open_context(data_docs: Path | None) -> Any:  # noqa: ANN401 - Great Expectations' context
    base = _import_library("great_expectations.data_context.types.base")
    config = base.DataContextConfig(
        store_backend_defaults=base.InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        data_docs_sites={"local": _site(data_docs)} if data_docs is not None else {},
        analytics_enabled=False,
        progress_bars={"globally": False},
    )
    return _import_library("great_expectations").get_context(
        mode="ephemeral", project_config=config
    )


def _site(folder: Path) -> dict[str, Any]:
    return {
        "class_name": "SiteBuilder",
        "store_backend": {
            "class_name": "TupleFilesystemStoreBackend",
            "base_directory": str(folder.resolve()),
        },
        "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
    }


def _all_of(suite: Suite) -> tuple[Expected, ...]:
    """What is expected of a suite, and that it has rows."""
    if suite.may_be_empty:
        return tuple(suite.expected)
    meaning = f"There are rows of {suite.table} to look at."
    has_rows = Expected(name=ROWS, meaning=meaning, type=_COUNT, kwargs={"min_value": 1})
    return (*suite.expected, has_rows)


def _validate(context: Any, batch: Any, suite: Suite, name: str) -> dict[str, Any]:  # noqa: ANN401 - Great Expectations' objects
    library = _import_library("great_expectations")
    expectation_suite = context.suites.add(library.ExpectationSuite(name=name))
    for expected in _all_of(suite):
        expectation_suite.add_expectation(_expectation(expected))
    definition = library.ValidationDefinition(name=name, data=batch, suite=expectation_suite)
    validation = context.validation_definitions.add(definition).run(
        batch_parameters={"dataframe": suite.frame},
        result_format={
            "result_format": "SUMMARY",
            "unexpected_index_column_names": list(suite.places),
            "partial_unexpected_count": _EXAMPLES,
        },
    )
    document: dict[str, Any] = validation.to_json_dict()
    return document


def _expectation(expected: Expected) -> Any:  # noqa: ANN401 - Great Expectations' object
    module = _import_library("great_expectations.expectations.expectation_configuration")
    kwargs = dict(expected.kwargs)
    if expected.allowed:
        kwargs["mostly"] = round(1 - expected.allowed / 100, 9)
    configured = module.ExpectationConfiguration(
        type=expected.type,
        kwargs=kwargs,
        meta={"name": expected.name, "meaning": expected.meaning},
        severity=_SEVERITIES[expected.severity],
    )
    return configured.to_domain_obj()


def _results(suite: Suite, document: Mapping[str, Any]) -> list[Result]:
    """In the order of the suite, whatever that of the document: it has what broke first."""
    by_name = {
        result["expectation_config"]["meta"]["name"]: result for result in document["results"]
    }
    return [_result(suite, expected, by_name[expected.name]) for expected in _all_of(suite)]


def _result(suite: Suite, expected: Expected, result: Mapping[str, Any]) -> Result:
    reason = _exception_text(result.get("exception_info") or {})
    if reason is not None:
        return _not_evaluated(suite, expected, reason, broken=True)
    details = masked_json(result["result"])
    rows = _row_count(suite, details)
    if not rows and not suite.may_be_empty and not expected.type.startswith(_OF_TABLES):
        return _not_evaluated(suite, expected, NO_ROWS, broken=True)
    observed = details.get("observed_value")
    return Result(
        suite.table,
        expected,
        Status.PASSED if result["success"] else Status.FAILED,
        rows,
        details.get("unexpected_count"),
        None if observed is None else str(observed),
        tuple(map(_example, details.get("partial_unexpected_index_list") or ())),
    )


def _row_count(suite: Suite, details: Mapping[str, Any]) -> int:
    """How many rows an expectation was about: without those that a condition or a null took out."""
    every = 0 if suite.frame is None else len(suite.frame)
    return int(details.get("element_count", every)) - int(details.get("missing_count") or 0)


def _not_evaluated(
    suite: Suite, expected: Expected, reason: str, *, broken: bool = False
) -> Result:
    status = Status.NOT_EVALUATED
    return Result(suite.table, expected, status, reason=reason, broken=broken)


def _exception_text(info: Mapping[str, Any]) -> str | None:
    """Why it could not be evaluated: said once, or for each metric that could not be had."""
    every = [info, *(detail for detail in info.values() if isinstance(detail, Mapping))]
    messages = sorted(
        {str(detail["exception_message"]) for detail in every if detail.get("raised_exception")}
    )
    return masked("; ".join(messages)) or None


def _example(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in row.items())
