-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The rows of the page that a subscriber chose, by the ID of the monitor or component; empty: all. An older process emails everyone.
ALTER TABLE "page_subscriber" ADD COLUMN "row_ids" TEXT[] NOT NULL DEFAULT '{}';
-- Whether they chose rows: without any left, they are emailed about all, and told so.
ALTER TABLE "page_subscriber" ADD COLUMN "chose_rows" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "page_subscriber" ADD CONSTRAINT "page_subscriber_row_ids" CHECK (cardinality("row_ids") <= 100 AND ("chose_rows" OR "row_ids" = '{}'));
-- The affected rows of the page; empty, as in notices of an older process: for all subscribers.
ALTER TABLE "page_notice" ADD COLUMN "row_ids" TEXT[] NOT NULL DEFAULT '{}';
