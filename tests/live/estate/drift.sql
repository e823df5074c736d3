d_star_dropped: SELECT * FROM made.dropped
d_named_dropped: SELECT id, gone FROM made.dropped
d_kept_dropped: SELECT id FROM made.dropped
d_star_retyped: SELECT * FROM made.retyped
d_sum_retyped: SELECT sum(n) AS total FROM made.retyped
d_star_wider: SELECT * FROM made.wider
d_star_narrower: SELECT * FROM made.narrower
d_plus_narrower: SELECT n + 1 AS m FROM made.narrower
d_star_renamed: SELECT * FROM made.renamed
d_named_renamed: SELECT a AS x FROM made.renamed
d_star_added: SELECT * FROM made.added
d_named_added: SELECT id FROM made.added
d_star_removed: SELECT * FROM made.removed
d_star_swapped: SELECT * FROM made.swapped
d_named_swapped: SELECT a, b FROM made.swapped
d_star_money: SELECT * FROM made.money
d_times_money: SELECT x * 2 AS y FROM made.money
d_star_nested: SELECT * FROM made.nested
d_field_nested: SELECT s.a AS a FROM made.nested
d_union_narrower: SELECT id FROM made.wider UNION ALL SELECT n FROM made.narrower
d_join_renamed: SELECT r.a, w.id FROM made.renamed r JOIN made.wider w ON r.a = w.id
d_cast_retyped: SELECT CAST(n AS bigint) AS n FROM made.retyped
d_count_removed: SELECT count(*) AS n FROM made.removed
