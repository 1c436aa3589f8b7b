-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Bodies from templates: what an endpoint has for them, and the format of a delivery whose body is rendered when it is first sent. An older
-- process cannot read an endpoint with this format until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'custom';
ALTER TABLE "webhook_endpoint" ADD COLUMN "headers_sealed" BYTEA, ADD COLUMN "template" TEXT;
ALTER TABLE "delivery" ADD COLUMN "format" TEXT;

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref, OLD.credentials_sealed, OLD.headers_sealed, OLD.template)
          IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref, NEW.credentials_sealed, NEW.headers_sealed, NEW.template))
    EXECUTE FUNCTION count_version();
