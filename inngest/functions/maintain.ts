import { cron, type Inngest } from 'inngest';
import type { Services } from '@/lib/context/services';
import { ensureResultPartitions } from '@/lib/engine/partitions';
import { tickSilentMonitors } from '@/lib/engine/tick-monitors';
import { workerStarted } from '../events';

/** Every minute: what time alone brings about. */
export function createMaintain(client: Inngest, services: Services) {
  const options = { id: 'maintain', retries: 0 as const, triggers: [cron('* * * * *'), workerStarted] };
  return client.createFunction(options, async ({ step }) => {
    await step.run('partitions', () => ensureResultPartitions(services.db, services.clock.now()));
    await step.run('silent monitors', () => tickSilentMonitors(services));
  });
}
