"""What `estate.yaml` may say of data quality: thresholds, and expectations of the user's own."""

from typing import Annotated, Any

from pydantic import Field, field_validator

from jobs.configuration.gates import Strict
from reports.quality.model import ROWS, ExpectationSeverity, Name, Own, QualityTerms

Percent = Annotated[float, Field(ge=0, le=100)]


class Expectation(Strict):
    """An expectation of your own, of those that Great Expectations has."""

    name: str = Field(min_length=1, description="What the results call it.")
    table: str = Field(min_length=1, description="A table of the warehouse: docs/tables.md.")
    type: str = Field(
        pattern="^expect_[a-z_]+$",
        description="Great Expectations' name of it, such as expect_column_values_to_not_be_null.",
    )
    kwargs: dict[str, Any] = Field(
        default={}, description="Its arguments, as Great Expectations spells them."
    )
    allow: Percent = Field(default=0, description="Percentage of rows that may fail.")
    severity: ExpectationSeverity = Field(
        default=ExpectationSeverity.ERROR,
        description="Whether a failure decides the exit code, or is told.",
    )
    may_be_empty: bool = Field(
        default=False, description="Whether a table without rows is fine; else it fails."
    )
    required: bool = Field(
        default=False, description="Whether it has to be evaluated: exit code 3 if not."
    )

    def own(self) -> Own:
        """The expectation."""
        return Own(**{name: getattr(self, name) for name in type(self).model_fields})


class QualityExpectations(Strict):
    """What `belvedere quality` expects of a run."""

    allow: dict[Name, Percent] = Field(
        default={}, description="Expectation to the percentage of rows that may fail."
    )
    severity: dict[Name, ExpectationSeverity] = Field(
        default={}, description="Expectation to what its failure is, where not the usual."
    )
    required: tuple[Name, ...] = Field(
        default=(), description="Expectations that have to be evaluated: exit code 3 if not."
    )
    max_age_hours: float = Field(default=24, gt=0, description="Age from which on a run is stale.")
    dialects: tuple[str, ...] = Field(
        default=(), description="Dialects in which every view shall have a text."
    )
    context: tuple[str, ...] = Field(
        default=QualityTerms().context,
        description="Dialects whose short names need a default schema, and Trino's a catalog.",
    )
    expectations: tuple[Expectation, ...] = Field(default=(), description="Your own.")

    @field_validator("expectations")
    @classmethod
    def _check_names(cls, given: tuple[Expectation, ...]) -> tuple[Expectation, ...]:
        taken = {ROWS, *Name}
        for expectation in given:
            if expectation.name in taken:
                raise ValueError(f"the name {expectation.name!r} is taken")
            taken.add(expectation.name)
        return given

    def terms(self) -> QualityTerms:
        """The terms."""
        own = tuple(expectation.own() for expectation in self.expectations)
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        del fields["expectations"]
        return QualityTerms(**fields, own=own)
