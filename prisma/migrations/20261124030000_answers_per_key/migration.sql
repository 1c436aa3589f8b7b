-- A rotated key counts as its predecessor.
ALTER TABLE "api_key" ADD COLUMN "lineage_id" TEXT;
UPDATE "api_key" SET "lineage_id" = "id";
ALTER TABLE "api_key" ALTER COLUMN "lineage_id" SET NOT NULL;

-- The answer to an Idempotency-Key belongs to the API key that sent it. Of those kept so far (for a day at most) nobody knows
-- which key that was.
DELETE FROM "idempotent_answer";
ALTER TABLE "idempotent_answer" DROP CONSTRAINT "idempotent_answer_pkey";
ALTER TABLE "idempotent_answer" ADD COLUMN "lineage_id" TEXT NOT NULL;
ALTER TABLE "idempotent_answer" ADD CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY ("organization_id", "lineage_id", "operation", "key");
