"""The report as one self-contained page: no network, light and dark, printable."""

from importlib.resources import files

from jinja2 import Environment

from reports.summary import Summary


def render(summary: Summary) -> str:
    """The page. All text from sources is escaped: a view named `<script>` is just a name."""
    template = files("reports").joinpath("page.html.jinja").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    engines = sorted({engine for view in summary.views for engine in view.verdicts})
    return environment.from_string(template).render(summary=summary, engines=engines)
