import { cron, type Inngest } from 'inngest';
import type { Services } from '@/lib/domain/context/services';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import { ensureResultPartitions } from '@/lib/engine/upkeep/partitions';
import { applyRetention } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { getEnvironment } from '@/lib/env';
import type { appStarted } from '../events';

/**
 * Every minute: what time alone brings about. Once an hour has closed it is rolled up, and what is too old goes. A part that
 * fails holds up no other; it is done by the next run, and fails this one so that it is known.
 */
export function createMaintain(client: Inngest, services: Services, started: ReturnType<typeof appStarted>) {
  const options = { id: 'maintain', retries: 0 as const, triggers: [cron('* * * * *'), started] };
  return client.createFunction(options, async ({ step }) => {
    const failures: unknown[] = [];
    const note = (error: unknown) => {
      failures.push(error);
      return 0;
    };
    await step.run('partitions', () => ensureResultPartitions(services.db, services.clock.now())).catch(note);
    await step.run('silent monitors', () => tickSilentMonitors(services)).catch(note);
    const hours = await step.run('roll up', () => rollUp(services)).catch(note);
    if (hours > 0) {
      const { RAW_RETENTION_DAYS: rawDays } = getEnvironment();
      await step.run('retention', () => applyRetention(services, { rawDays })).catch(note);
    }
    if (failures.length > 0) throw failures[0];
  });
}
