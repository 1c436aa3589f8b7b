-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How often members are reminded by email of a monitor that is down and whose incident nobody has acknowledged; null: never.
ALTER TABLE "organization" ADD COLUMN "reminder_minutes" INTEGER CHECK ("reminder_minutes" BETWEEN 5 AND 1440);
CREATE INDEX "organization_reminding" ON "organization" ("id") WHERE "reminder_minutes" IS NOT NULL;

-- Finds when members were last emailed about an incident, and how often.
CREATE INDEX "member_notice_incident" ON "member_notice" ("incident_id") WHERE "incident_id" IS NOT NULL;
