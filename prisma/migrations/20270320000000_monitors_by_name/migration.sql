-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Lists of monitors by name are read in pages without sorting all of them.
CREATE INDEX "monitor_by_name" ON "monitor" ("organization_id", lower("name") COLLATE "C", "id");
