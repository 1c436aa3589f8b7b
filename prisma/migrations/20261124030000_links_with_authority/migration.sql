-- Links carry the authority of who handed them out. Open reset links do not say for which organization they were made, or
-- whether a person or the operator made them: they end here, and people ask for new ones.
DELETE FROM "one_time_token" WHERE "kind" = 'password_reset' AND "used_at" IS NULL;
ALTER TABLE "one_time_token" ADD COLUMN "created_by_key" TEXT;
