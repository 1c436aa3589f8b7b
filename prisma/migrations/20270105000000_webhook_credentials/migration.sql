-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- PagerDuty, and the credentials of an endpoint, which are part of its configuration. An older process cannot read an endpoint with this format
-- until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'pagerduty';
ALTER TABLE "webhook_endpoint" ADD COLUMN "credentials_sealed" BYTEA;

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref, OLD.credentials_sealed) IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref, NEW.credentials_sealed))
    EXECUTE FUNCTION count_version();
