import { cron, type Inngest } from 'inngest';
import type { Services } from '@/lib/domain/context/services';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import { applyRetention, ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { getEnvironment } from '@/lib/env';
import type { AppStarted } from '../events';

/**
 * Every minute: partitions, monitors without results, rollups. Rolls up each hour after it closed and applies retention.
 * A failing step does not block the others; the next run repeats it, and this run fails so that it is
 * noticed.
 */
export function createMaintain(client: Inngest, services: Services, started: AppStarted) {
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
