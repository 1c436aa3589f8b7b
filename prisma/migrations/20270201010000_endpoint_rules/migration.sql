-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Which events an endpoint is sent: see docs/decisions/0057. A process of an older version sends all of them until it is updated.
ALTER TABLE "webhook_endpoint" ADD COLUMN "rules" JSONB NOT NULL DEFAULT '[]';

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref, OLD.credentials_sealed, OLD.headers_sealed, OLD.template, OLD.rules)
          IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref, NEW.credentials_sealed, NEW.headers_sealed, NEW.template, NEW.rules))
    EXECUTE FUNCTION count_version();
