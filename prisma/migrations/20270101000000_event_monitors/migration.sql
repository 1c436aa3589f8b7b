-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The monitors that events are about, by which the deliveries of a monitor are found: see docs/decisions/0051. Events that an older process
-- writes during the upgrade have none.
CREATE TABLE "event_monitor" (
    "event_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_monitor_pkey" PRIMARY KEY ("event_id", "monitor_id")
);

-- The newest ones: older events of a large installation are not worth holding up the upgrade.
INSERT INTO "event_monitor" ("event_id", "monitor_id", "occurred_at")
SELECT DISTINCT "event"."id", "monitor_id", "occurred_at"
  FROM (SELECT "id", "kind", "occurred_at", "payload"::json AS "payload" FROM "outbox_event"
         ORDER BY "occurred_at" DESC LIMIT 100000) AS "event"
       CROSS JOIN LATERAL (
         SELECT "payload" -> 'monitor' ->> 'id' AS "monitor_id" WHERE "kind" LIKE 'monitor.%'
         UNION ALL
         SELECT json_array_elements_text("payload" -> 'incident' -> 'affectedMonitors') WHERE "kind" LIKE 'incident.%'
       ) AS "about"
 WHERE "monitor_id" IS NOT NULL;

CREATE INDEX "event_monitor_monitor_id_occurred_at_idx" ON "event_monitor"("monitor_id", "occurred_at");
ALTER TABLE "event_monitor" ADD CONSTRAINT "event_monitor_event_id_fkey"
    FOREIGN KEY ("event_id") REFERENCES "outbox_event"("id") ON DELETE CASCADE ON UPDATE CASCADE;
