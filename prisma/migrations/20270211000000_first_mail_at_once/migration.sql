-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- When members were last mailed: what follows within MAIL_GROUP_SECONDS is gathered. Reminders do not count.
CREATE INDEX "member_notice_mailed" ON "member_notice" ("organization_id", "mailed_at")
  WHERE "mailed_at" IS NOT NULL AND "kind" <> 'incident.reminder';
