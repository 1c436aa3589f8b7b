-- First attempts are found before retries, however many retries of the same endpoint are due.
DROP INDEX "delivery_waiting";
CREATE INDEX "delivery_waiting" ON "delivery" ("endpoint_id", ("failures" > 0), "next_attempt_at") WHERE "status" = 'pending';
