-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- When a page shows automatic incidents: after these minutes, at once with 0, or only by hand without a number. An older process shows
-- them at once.
ALTER TABLE "status_page" ADD COLUMN "automatic_delay" INTEGER DEFAULT 0, ADD COLUMN "automatic_since" TIMESTAMPTZ(3);
CREATE INDEX "status_page_delayed" ON "status_page" ("id") WHERE "automatic_delay" > 0;

-- A trigger of its own: counting twice in one update is counting once.
CREATE TRIGGER status_page_publication_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN (OLD.automatic_delay IS DISTINCT FROM NEW.automatic_delay)
    EXECUTE FUNCTION count_version();

-- The automatic incidents that a page shows although it does not show them at once.
CREATE TABLE "incident_publication" (
    "page_id" TEXT NOT NULL,
    "incident_id" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_publication_pkey" PRIMARY KEY ("incident_id", "page_id")
);
CREATE INDEX "incident_publication_page_id_idx" ON "incident_publication"("page_id");
ALTER TABLE "incident_publication" ADD CONSTRAINT "incident_publication_page_id_fkey"
    FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "incident_publication" ADD CONSTRAINT "incident_publication_incident_id_fkey"
    FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;
