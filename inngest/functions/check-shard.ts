import type { Inngest } from 'inngest';
import type { Engine } from '@/lib/engine/create-engine';
import { checkShardDue } from '../events';

/** Checks what is due in one shard of one region. Postgres holds the schedule, so a failed run is not tried again. */
export function createCheckShard(client: Inngest, engine: Engine) {
  return client.createFunction(
    { id: 'check-shard', retries: 0, triggers: [checkShardDue] },
    async ({ event, step }) => {
      const { until, ...share } = event.data;
      await step.run('drain', () => engine.drainChecks(share, new Date(until)));
    },
  );
}
