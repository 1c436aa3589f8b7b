-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- An incident that people hid on a page again is not published there by itself, and its subscribers are not notified again. An older
-- process shows it.
ALTER TABLE "incident_publication" ADD COLUMN "hidden" BOOLEAN NOT NULL DEFAULT false;
