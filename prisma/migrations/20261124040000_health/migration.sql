-- When the oldest result or attempt finished that a worker has not stored yet; null: it has stored all of them.
ALTER TABLE "worker" ADD COLUMN "pending_since" TIMESTAMPTZ(3);

-- When a worker with these duties last lived. It outlives the workers' own rows, which go with them.
CREATE TABLE "duties_presence" (
    "duties" "worker_duties" NOT NULL,
    "served_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "duties_presence_pkey" PRIMARY KEY ("duties")
);
INSERT INTO "duties_presence" ("duties", "served_at")
SELECT duties, max(seen_at) FROM worker GROUP BY duties;
