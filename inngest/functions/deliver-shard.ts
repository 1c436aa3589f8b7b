import type { Inngest } from 'inngest';
import { deliveriesDue } from '../events';

/** Sends the deliveries that are due. Postgres holds the retry schedule, so a failed run is not tried again. */
export function createDeliverShard(client: Inngest, drain: (until: Date) => Promise<void>) {
  return client.createFunction(
    { id: 'deliver-shard', retries: 0, triggers: [deliveriesDue] },
    async ({ event }) => {
      await drain(new Date(event.data.until));
    },
  );
}
