-- Schema: 7
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Adds ended periods, given by their IDs, to the days of their monitors: as `roll_up_periods` did until now.
CREATE FUNCTION roll_up_several(ended bigint[]) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
    WITH known AS (
        SELECT monitor_id, status_rank(state) AS rank, from_at, to_at FROM status_period
         WHERE id = ANY(ended) AND to_at > from_at AND status_rank(state) > 0
    ), days AS (
        SELECT monitor_id, day, sum(ms)::int AS known, coalesce(sum(ms) FILTER (WHERE rank = 3), 0)::int AS down, max(rank) AS worst
          FROM (SELECT monitor_id, rank, day,
                       round(extract(epoch FROM least(to_at, day + interval '1 day') - greatest(from_at, day)) * 1000) AS ms
                  FROM known, generate_series(date_trunc('day', from_at), to_at - interval '1 millisecond', interval '1 day') AS day) AS part
         GROUP BY monitor_id, day
    ), months AS (
        SELECT DISTINCT monitor_id, date_trunc('month', day) AS month FROM days
    )
    INSERT INTO uptime_month AS kept (monitor_id, month, known, down, worst)
    SELECT months.monitor_id, month::date, array_agg(coalesce(known, 0) ORDER BY number),
           array_agg(coalesce(down, 0) ORDER BY number), array_agg(coalesce(worst, 0::smallint) ORDER BY number)
      FROM months CROSS JOIN generate_series(1, 31) AS number
           LEFT JOIN days ON days.monitor_id = months.monitor_id AND date_trunc('month', day) = month
                         AND extract(day FROM day) = number
     GROUP BY 1, 2
        ON CONFLICT (monitor_id, month) DO UPDATE
       SET known = array(SELECT one + other FROM unnest(kept.known, excluded.known) WITH ORDINALITY AS d (one, other, place) ORDER BY place),
           down = array(SELECT one + other FROM unnest(kept.down, excluded.down) WITH ORDINALITY AS d (one, other, place) ORDER BY place),
           worst = array(SELECT greatest(one, other) FROM unnest(kept.worst, excluded.worst) WITH ORDINALITY AS d (one, other, place) ORDER BY place);
END
$$;

-- Most begin and end on one day, and each is the only one of its monitor: what it has of the day is added to one value, without sums.
CREATE OR REPLACE FUNCTION roll_up_periods(ended bigint[]) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
    short bigint[] := array(
        SELECT min(id) FROM status_period WHERE id = ANY(ended)
         GROUP BY monitor_id
        HAVING count(*) = 1 AND date_trunc('day', min(from_at)) = date_trunc('day', min(to_at) - interval '1 millisecond'));
BEGIN
    INSERT INTO uptime_month (monitor_id, month, known, down, worst)
    SELECT monitor_id, date_trunc('month', from_at)::date, array_fill(0, ARRAY[31]), array_fill(0, ARRAY[31]), array_fill(0::smallint, ARRAY[31])
      FROM status_period AS period
     WHERE id = ANY(short) AND to_at > from_at AND status_rank(state) > 0
           AND NOT EXISTS (SELECT FROM uptime_month AS kept
                            WHERE kept.monitor_id = period.monitor_id AND kept.month = date_trunc('month', from_at)::date)
        ON CONFLICT DO NOTHING;

    UPDATE uptime_month AS kept
       SET known[day] = known[day] + ms,
           down[day] = down[day] + CASE rank WHEN 3 THEN ms ELSE 0 END,
           worst[day] = greatest(worst[day], rank)
      FROM (SELECT monitor_id, date_trunc('month', from_at)::date AS month, extract(day FROM from_at)::int AS day,
                   status_rank(state) AS rank, round(extract(epoch FROM to_at - from_at) * 1000)::int AS ms
              FROM status_period
             WHERE id = ANY(short) AND to_at > from_at AND status_rank(state) > 0) AS period
     WHERE kept.monitor_id = period.monitor_id AND kept.month = period.month;

    IF cardinality(short) < cardinality(ended) THEN
        PERFORM roll_up_several(array(SELECT unnest(ended) EXCEPT SELECT unnest(short)));
    END IF;
END
$$;
