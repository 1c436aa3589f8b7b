-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The incident that an event is about, by which all events of one incident are found. Events that an older process writes during the
-- upgrade have none.
ALTER TABLE "outbox_event" ADD COLUMN "incident_id" TEXT;

-- The newest ones: older events of a large installation are not worth holding up the upgrade.
UPDATE "outbox_event" AS "event" SET "incident_id" = "about"."incident_id"
  FROM (SELECT "id", "payload"::json -> 'incident' ->> 'id' AS "incident_id" FROM "outbox_event"
         ORDER BY "occurred_at" DESC LIMIT 100000) AS "about"
 WHERE "about"."id" = "event"."id" AND "about"."incident_id" IS NOT NULL;

CREATE INDEX "outbox_event_incident_id_idx" ON "outbox_event"("incident_id");
