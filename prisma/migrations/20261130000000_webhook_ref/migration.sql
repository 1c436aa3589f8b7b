-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The caller's own ID of a webhook endpoint, as monitors have one. A change of it counts as a version.
ALTER TABLE "webhook_endpoint" ADD COLUMN "ref" TEXT;
CREATE UNIQUE INDEX "webhook_endpoint_organization_id_ref_key" ON "webhook_endpoint" ("organization_id", "ref");

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref) IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref))
    EXECUTE FUNCTION count_version();
