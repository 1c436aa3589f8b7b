-- What is sent where it is not the event's payload itself: a chat product's message, rendered when the event was told.
ALTER TABLE "delivery" ADD COLUMN "body" TEXT;

-- What each try asked: the endpoint may have another address by the time somebody reads it.
ALTER TABLE "delivery_attempt" ADD COLUMN "url" TEXT;
ALTER TABLE "delivery_attempt" ADD COLUMN "request_headers" JSONB;
