"""Digests: to Trino (476) bytes of bytes, to the others texts in hexadecimal digits, of texts."""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import sorts
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import Sort


def _digest(node: exp.Func, pair: DialectPair) -> exp.Expr:
    """Of the bytes of a text, which Trino does not take for them; of SHA it gives bytes, too."""
    if pair.of_trino and pair.target.hive_functions and not isinstance(node, exp.MD5):
        return exp.Unhex(this=node.copy())
    if not pair.to_trino or Sort.TEXT not in sorts(pair.kinds.of(node.this)):
        return node
    node.this.replace(exp.func("TO_UTF8", node.this.copy()))
    return exp.Lower(this=exp.func("TO_HEX", node.copy())) if isinstance(node, exp.SHA) else node


RULES: Final[Rules] = dict.fromkeys((exp.MD5, exp.SHA, exp.SHA2, exp.SHA2Digest), _digest)
