-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- An imported address whose confirmation email is still to be queued, within a limit per hour. An older worker leaves it to a newer one.
ALTER TABLE "page_subscriber" ADD COLUMN "awaits_email" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "page_subscriber_awaiting" ON "page_subscriber" ("page_id", "number") WHERE "awaits_email";
-- The confirmation emails of imports: how many an organization has sent, and how many an address has received from it.
CREATE INDEX "mail_import_confirmation" ON "mail" ("organization_id", "created_at") WHERE "kind" = 'import-confirmation';
CREATE INDEX "mail_import_recipient" ON "mail" ("recipient", "organization_id") WHERE "kind" = 'import-confirmation';
