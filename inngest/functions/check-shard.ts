import type { Inngest } from 'inngest';
import type { Share } from '@/lib/engine/checks/claim-checks';
import { checkShardDue } from '../events';

/** Checks what is due in one shard of one region. Postgres holds the schedule, so a failed run is not tried again. */
export function createCheckShard(
  client: Inngest,
  region: string,
  drain: (until: Date, share: Share) => Promise<void>,
) {
  return client.createFunction(
    { id: 'check-shard', retries: 0, triggers: [checkShardDue(region)] },
    async ({ event }) => {
      const { until, ...shard } = event.data;
      await drain(new Date(until), { region, ...shard });
    },
  );
}
