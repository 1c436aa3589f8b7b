-- When Inngest woke each app last, and since when a worker has to wake itself: what tells a silent Inngest from a quiet one.
CREATE TABLE "wake" (
    "app" TEXT NOT NULL,
    "woken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wake_pkey" PRIMARY KEY ("app")
);
ALTER TABLE "worker" ADD COLUMN "inngest_silent_since" TIMESTAMPTZ(3);
