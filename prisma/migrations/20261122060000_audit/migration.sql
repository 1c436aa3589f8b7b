-- Who did what in an organization. No foreign key to the actor: the log outlives people and keys.
CREATE TYPE "actor_kind" AS ENUM ('user', 'key', 'operator');

CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" TEXT,
    "actor_label" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_label" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "address" TEXT,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_entry_organization_id_at_number_idx" ON "audit_entry"("organization_id", "at", "number");
CREATE INDEX "audit_entry_organization_id_subject_id_at_idx" ON "audit_entry"("organization_id", "subject_id", "at");
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
