"""The engines' type languages, one file each: the engine's spelling to the model's types.

The tables are those of Gravitino 1.3's converters; what they refuse or do not know becomes
`External` with the engine's text. Where a converter of Gravitino loses what its own types can hold
(Flink's `VARCHAR(10)` to `string`), the exact type is kept.
"""
