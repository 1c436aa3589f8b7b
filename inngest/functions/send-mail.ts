import type { Inngest } from 'inngest';
import { mailDue } from '../events';

/** Sends the e-mail that is due. Postgres holds the retry schedule, so a failed run is not tried again. */
export function createSendMail(client: Inngest, drain: (until: Date) => Promise<void>) {
  return client.createFunction({ id: 'send-mail', retries: 0, triggers: [mailDue] }, async ({ event }) => {
    await drain(new Date(event.data.until));
  });
}
