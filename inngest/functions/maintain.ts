import { cron, type Inngest } from 'inngest';
import type { Services } from '@/lib/context/services';
import { ensureResultPartitions } from '@/lib/engine/partitions';
import { applyRetention } from '@/lib/engine/retention';
import { rollUp } from '@/lib/engine/roll-up';
import { tickSilentMonitors } from '@/lib/engine/tick-monitors';
import { getEnvironment } from '@/lib/env';
import type { appStarted } from '../events';

/** Every minute: what time alone brings about. Once an hour has closed it is rolled up, and what is too old goes. */
export function createMaintain(client: Inngest, services: Services, started: ReturnType<typeof appStarted>) {
  const options = { id: 'maintain', retries: 0 as const, triggers: [cron('* * * * *'), started] };
  return client.createFunction(options, async ({ step }) => {
    await step.run('partitions', () => ensureResultPartitions(services.db, services.clock.now()));
    await step.run('silent monitors', () => tickSilentMonitors(services));
    const hours = await step.run('roll up', () => rollUp(services));
    if (hours === 0) return;
    const { RAW_RETENTION_DAYS: rawDays } = getEnvironment();
    await step.run('retention', () => applyRetention(services, { rawDays }));
  });
}
