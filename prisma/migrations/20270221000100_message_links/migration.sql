-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Messages about an open incident have a link that acknowledges it, unless their endpoint has it turned off. Each link works once.
ALTER TABLE "webhook_endpoint" ADD COLUMN "acknowledge_links" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "delivery" ADD COLUMN "link_used_at" TIMESTAMPTZ(3);
-- Who is known only as a reader of the messages of an endpoint.
ALTER TYPE "actor_kind" ADD VALUE 'endpoint';
