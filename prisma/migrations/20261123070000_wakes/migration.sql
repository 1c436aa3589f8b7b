-- When Inngest woke each drain last, and since when a worker has to wake itself: what tells a silent Inngest from a quiet one.
CREATE TABLE "wake" (
    "drain" TEXT NOT NULL,
    "woken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wake_pkey" PRIMARY KEY ("drain")
);
ALTER TABLE "worker" ADD COLUMN "inngest_silent_since" TIMESTAMPTZ(3);
