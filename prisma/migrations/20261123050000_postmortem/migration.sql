-- What went wrong and what was learned of it. The public reads it once it is published.
ALTER TABLE "incident" ADD COLUMN "postmortem" TEXT;
ALTER TABLE "incident" ADD COLUMN "postmortem_published_at" TIMESTAMPTZ(3);
ALTER TABLE "incident" ADD CONSTRAINT "incident_published_postmortem_is_there" CHECK ("postmortem_published_at" IS NULL OR "postmortem" IS NOT NULL);

-- Who wrote an update, as they were called then; null where the service did.
ALTER TABLE "incident_update" ADD COLUMN "author" TEXT;

-- The open ones stand first in the list, among any number that are resolved.
CREATE INDEX "incident_open" ON "incident" ("organization_id", "created_at", "number") WHERE "resolved_at" IS NULL;
