-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Finds the latest emails to members of an organization among those to subscribers of its status pages.
CREATE INDEX "mail_to_members" ON "mail" ("organization_id", "created_at") WHERE "kind" IN ('alert', 'test');
