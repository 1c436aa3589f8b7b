-- Schema: 9
-- Serves: Pharos 0.2.0 (schema 1) and later
-- A period of one day is added to its month by one statement, which finds the row by its key whatever PostgreSQL knows about the table: the plan of a
-- search that was made while the table was empty read all of it for each monitor, until it was analyzed. A new row is written once, with its values.

-- The day of the month in which something is known, where it is one.
CREATE FUNCTION known_day(worst smallint[]) RETURNS int IMMUTABLE LANGUAGE sql AS $$
    SELECT coalesce(array_position(worst, 3::smallint), array_position(worst, 2::smallint), array_position(worst, 1::smallint))
$$;

CREATE OR REPLACE FUNCTION roll_up_periods(ended bigint[]) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
    short bigint[] := array(
        SELECT min(id) FROM status_period WHERE id = ANY(ended)
         GROUP BY monitor_id
        HAVING count(*) = 1 AND date_trunc('day', min(from_at)) = date_trunc('day', min(to_at) - interval '1 millisecond'));
BEGIN
    INSERT INTO uptime_month AS kept (monitor_id, month, known, down, worst)
    SELECT monitor_id, month,
           array_fill(0, ARRAY[day - 1]) || ms || array_fill(0, ARRAY[31 - day]),
           array_fill(0, ARRAY[day - 1]) || CASE rank WHEN 3 THEN ms ELSE 0 END || array_fill(0, ARRAY[31 - day]),
           array_fill(0::smallint, ARRAY[day - 1]) || rank || array_fill(0::smallint, ARRAY[31 - day])
      FROM (SELECT monitor_id, date_trunc('month', from_at)::date AS month, extract(day FROM from_at)::int AS day,
                   status_rank(state) AS rank, round(extract(epoch FROM to_at - from_at) * 1000)::int AS ms
              FROM status_period
             WHERE id = ANY(short) AND to_at > from_at AND status_rank(state) > 0) AS period
        ON CONFLICT (monitor_id, month) DO UPDATE
       SET known[known_day(excluded.worst)] = kept.known[known_day(excluded.worst)] + excluded.known[known_day(excluded.worst)],
           down[known_day(excluded.worst)] = kept.down[known_day(excluded.worst)] + excluded.down[known_day(excluded.worst)],
           worst[known_day(excluded.worst)] = greatest(kept.worst[known_day(excluded.worst)], excluded.worst[known_day(excluded.worst)]);

    IF cardinality(short) < cardinality(ended) THEN
        PERFORM roll_up_several(array(SELECT unnest(ended) EXCEPT SELECT unnest(short)));
    END IF;
END
$$;
