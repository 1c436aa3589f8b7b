-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The request of an entry, as the log names it; null for the command line, workers, and entries from before.
ALTER TABLE "audit_entry" ADD COLUMN "request_id" TEXT;
CREATE INDEX "audit_entry_organization_id_request_id_idx" ON "audit_entry" ("organization_id", "request_id");
