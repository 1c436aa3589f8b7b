import type { Inngest } from 'inngest';
import type { Engine } from '@/lib/engine/create-engine';
import { deliveriesDue } from '../events';

/** Sends the deliveries that are due. Postgres holds the retry schedule, so a failed run is not tried again. */
export function createDeliverShard(client: Inngest, engine: Engine) {
  return client.createFunction(
    { id: 'deliver-shard', retries: 0, triggers: [deliveriesDue] },
    async ({ event, step }) => {
      await step.run('drain', () => engine.drainDeliveries(new Date(event.data.until)));
    },
  );
}
