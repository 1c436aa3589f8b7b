-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Uptime without reading the whole ledger: see docs/decisions/0029. Kept by triggers, so that earlier versions keep it, too.
SET LOCAL timezone = 'UTC';

-- Known time and downtime of the monitor before the period, in milliseconds: the difference of two periods is the time between them.
ALTER TABLE "status_period" ADD COLUMN "known_before" BIGINT, ADD COLUMN "down_before" BIGINT;

-- Ended periods by UTC day: 31 days per row, with milliseconds and the worst status (0 unknown, 1 operational, 2 degraded, 3 down).
CREATE TABLE "uptime_month" (
    "monitor_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "known" INTEGER[] NOT NULL,
    "down" INTEGER[] NOT NULL,
    "worst" SMALLINT[] NOT NULL,

    CONSTRAINT "uptime_month_pkey" PRIMARY KEY ("monitor_id", "month")
);
ALTER TABLE "uptime_month" ADD CONSTRAINT "uptime_month_monitor_id_fkey"
    FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- 0 for states that do not count as known time.
CREATE FUNCTION status_rank(state period_state) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE state WHEN 'operational' THEN 1 WHEN 'degraded' THEN 2 WHEN 'down' THEN 3 ELSE 0 END::smallint
$$;

-- For writers that give no sums.
CREATE FUNCTION continue_uptime() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT known_before + CASE WHEN status_rank(state) > 0 THEN ms ELSE 0 END,
           down_before + CASE WHEN state = 'down' THEN ms ELSE 0 END
      INTO NEW.known_before, NEW.down_before
      FROM (SELECT period.*, round(extract(epoch FROM coalesce(to_at, NEW.from_at) - from_at) * 1000) AS ms
              FROM status_period AS period
             WHERE monitor_id = NEW.monitor_id AND from_at <= NEW.from_at AND id <> NEW.id
             ORDER BY from_at DESC, id DESC LIMIT 1) AS previous;
    NEW.known_before = coalesce(NEW.known_before, 0);
    NEW.down_before = coalesce(NEW.down_before, 0);
    RETURN NEW;
END
$$;

-- Adds ended periods, given by their IDs, to the days of their monitors.
CREATE FUNCTION roll_up_periods(ended bigint[]) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
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

CREATE FUNCTION roll_up_inserted_periods() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ended bigint[] := array(SELECT id FROM written WHERE to_at IS NOT NULL);
BEGIN
    IF cardinality(ended) > 0 THEN
        PERFORM roll_up_periods(ended);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION roll_up_updated_periods() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ended bigint[] := array(SELECT id FROM written JOIN replaced USING (id)
                             WHERE replaced.to_at IS NULL AND written.to_at IS NOT NULL);
BEGIN
    IF cardinality(ended) > 0 THEN
        PERFORM roll_up_periods(ended);
    END IF;
    RETURN NULL;
END
$$;

UPDATE "status_period" AS period SET known_before = before.known, down_before = before.down
  FROM (SELECT id, coalesce(sum(ms) FILTER (WHERE status_rank(state) > 0) OVER earlier, 0) AS known,
               coalesce(sum(ms) FILTER (WHERE state = 'down') OVER earlier, 0) AS down
          FROM (SELECT *, round(extract(epoch FROM to_at - from_at) * 1000) AS ms FROM "status_period") AS timed
        WINDOW earlier AS (PARTITION BY monitor_id ORDER BY from_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS before
 WHERE before.id = period.id;
ALTER TABLE "status_period" ADD CONSTRAINT "status_period_has_sums" CHECK (known_before IS NOT NULL AND down_before IS NOT NULL);
SELECT roll_up_periods(array_agg(id)) FROM "status_period" AS period WHERE to_at IS NOT NULL GROUP BY monitor_id;

CREATE TRIGGER status_period_sums BEFORE INSERT OR UPDATE ON "status_period"
    FOR EACH ROW WHEN (NEW.known_before IS NULL) EXECUTE FUNCTION continue_uptime();
CREATE TRIGGER status_period_inserted AFTER INSERT ON "status_period"
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION roll_up_inserted_periods();
CREATE TRIGGER status_period_updated AFTER UPDATE ON "status_period"
    REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION roll_up_updated_periods();
