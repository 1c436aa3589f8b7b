-- Requests counted per organization (or visitor) and minute, over all web processes. Unlogged: a crash forgives.
CREATE UNLOGGED TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- The first answer to each Idempotency-Key, for a day.
CREATE TABLE "idempotent_answer" (
    "organization_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "answer_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY ("organization_id","operation","key")
);
CREATE INDEX "idempotent_answer_created_at_idx" ON "idempotent_answer"("created_at");
ALTER TABLE "idempotent_answer" ADD CONSTRAINT "idempotent_answer_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
