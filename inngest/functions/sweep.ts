import { cron, type Inngest } from 'inngest';
import type { Clock } from '@/lib/core/clock';
import { checkShardDue, deliveriesDue, mailDue, workerStarted } from '../events';

const MINUTE = 60_000;
/** Drains outlive their minute a little, so that none is missing between two sweeps; claims keep them apart. */
const OVERLAP = 2000;

/** Every minute: one event per region and shard, never one per check, per delivery or per mail. */
export function createSweep(
  client: Inngest,
  {
    clock,
    regions,
    shards,
    sendsMail,
  }: { clock: Clock; regions: readonly string[]; shards: number; sendsMail: boolean },
) {
  const options = { id: 'sweep', retries: 0 as const, triggers: [cron('* * * * *'), workerStarted] };
  return client.createFunction(options, async ({ step }) => {
    const now = clock.now().getTime();
    const until = new Date(Math.floor(now / MINUTE) * MINUTE + MINUTE + OVERLAP).toISOString();
    const shares = regions.flatMap((region) =>
      Array.from({ length: shards }, (_, shard) => ({ region, shard, shards })),
    );
    await step.sendEvent('wake the drains', [
      ...shares.map((share) => checkShardDue.create({ ...share, until })),
      deliveriesDue.create({ until }),
      ...(sendsMail ? [mailDue.create({ until })] : []),
    ]);
  });
}
