-- Whether visitors see how long the monitors of a page take to answer: the owner's choice.
ALTER TABLE "status_page" ADD COLUMN "show_response_times" BOOLEAN NOT NULL DEFAULT false;
