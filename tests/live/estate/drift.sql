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
n_small_up: SELECT small_up FROM made.changed
n_int_text: SELECT int_text FROM made.changed
n_text_int: SELECT text_int FROM made.changed
n_dec_less: SELECT dec_less FROM made.changed
n_dec_more: SELECT dec_more FROM made.changed
n_dec_scale: SELECT dec_scale FROM made.changed
n_dec_int: SELECT dec_int FROM made.changed
n_int_dec: SELECT int_dec FROM made.changed
n_double_float: SELECT double_float FROM made.changed
n_float_double: SELECT float_double FROM made.changed
n_long_double: SELECT long_double FROM made.changed
n_time_date: SELECT time_date FROM made.changed
n_date_time: SELECT date_time FROM made.changed
n_date_text: SELECT date_text FROM made.changed
n_text_date: SELECT text_date FROM made.changed
n_flag_text: SELECT flag_text FROM made.changed
n_flag_int: SELECT flag_int FROM made.changed
n_char_varchar: SELECT char_varchar FROM made.changed
n_varchar_less: SELECT varchar_less FROM made.changed
n_varchar_text: SELECT varchar_text FROM made.changed
n_text_varchar: SELECT text_varchar FROM made.changed
n_bytes_text: SELECT bytes_text FROM made.changed
n_text_bytes: SELECT text_bytes FROM made.changed
n_list_up: SELECT list_up FROM made.changed
n_list_down: SELECT list_down FROM made.changed
n_map_value: SELECT map_value FROM made.changed
n_row_less: SELECT row_less FROM made.changed
n_row_more: SELECT row_more FROM made.changed
n_row_order: SELECT row_order FROM made.changed
n_row_types: SELECT row_types FROM made.changed
n_row_list: SELECT row_list FROM made.changed
n_list_text: SELECT list_text FROM made.changed
n_all: SELECT * FROM made.changed
n_sum_text: SELECT SUM(int_text) AS s, MAX(text_int) AS m FROM made.changed
n_cmp_text: SELECT small_up FROM made.changed WHERE int_text > 5
n_cmp_date: SELECT small_up FROM made.changed WHERE date_text = DATE '2026-01-01'
n_cmp_flag: SELECT small_up FROM made.changed WHERE flag_text
n_field_less: SELECT row_less.b AS b FROM made.changed
n_cast_row: SELECT CAST(row_order.a AS bigint) AS a FROM made.changed
n_in_text: SELECT small_up FROM made.changed WHERE int_text IN (1, 2, 3)
n_case_types: SELECT CASE WHEN small_up > 1 THEN int_text ELSE 0 END AS c FROM made.changed
n_coalesce: SELECT COALESCE(text_int, 'x') AS c FROM made.changed
n_union_types: SELECT dec_more AS v FROM made.changed UNION ALL SELECT double_float FROM made.changed
n_union_text: SELECT text_int AS v FROM made.changed UNION SELECT 'x' FROM made.changed
n_join_types: SELECT a.small_up FROM made.changed a JOIN made.customers c ON a.int_text = c.customer_id
n_group_text: SELECT text_int, COUNT(*) AS n FROM made.changed GROUP BY text_int
n_swap_union: SELECT a, b FROM made.swapped UNION ALL SELECT 1, 'x' FROM made.by_day
n_fewer: SELECT k, x, y FROM made.fewer
n_kept_fewer: SELECT k FROM made.fewer
n_count_star: SELECT COUNT(*) AS n FROM made.fewer
n_corr: SELECT k FROM made.lefty l WHERE EXISTS (SELECT 1 FROM made.fewer f WHERE f.y = l.k)
n_concat: SELECT CONCAT(text_int, '-') AS c FROM made.changed
n_like: SELECT small_up FROM made.changed WHERE text_int LIKE 'a%'
n_plus: SELECT int_text + 1 AS c FROM made.changed
n_neg: SELECT -int_text AS c FROM made.changed
n_upper: SELECT UPPER(text_int) AS c FROM made.changed
n_minus_days: SELECT YEAR(date_text) AS y FROM made.changed
n_ambiguous: SELECT f.k, x FROM made.lefty l JOIN made.fewer f ON l.k = f.k
