import { readSlots } from '@/bench/playground';
import { startWebProcess, type WebProcess } from '@/bin/web/testing/web-process';
import { startWorker, type Worker } from '@/e2e/support/start-worker';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import type { Database } from '@/lib/platform/db/client';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';

export const REGIONS = BUILT_IN_REGION_IDS;
export type Region = (typeof REGIONS)[number];

/** Shorter than the API allows, so that every monitor has many slots. */
export const INTERVAL_MS = 4000;

/** Adds monitors to every region, each checked from there alone, every `INTERVAL_MS`. */
export async function addMonitors(ctx: OrganizationContext, url: string, perRegion: number): Promise<void> {
  for (const region of REGIONS) {
    for (let number = 0; number < perRegion; number++) {
      const input = { name: `${region} ${number}`, url, regions: [region], alertThreshold: 1, timeout: 3 };
      await createMonitor(ctx, createMonitorSchema.parse(input));
    }
  }
  await ctx.db.monitor.updateMany({ data: { interval: INTERVAL_MS / 1000 } });
}

/** Two web processes, and one worker for each region; only the first one has all duties. */
export function createFleet(settings: Record<string, string>) {
  const startRegion = (region: Region): Promise<Worker> => {
    const duties = region === REGIONS[0] ? 'all' : 'probe';
    return startWorker({ ...settings, WORKER_DUTIES: duties, PROBE_REGIONS: region });
  };
  const startWeb = (): Promise<WebProcess> => startWebProcess({ ...settings, LOG_LEVEL: 'warn' });
  return { startRegion, startWeb };
}

/** The slots of these monitors that no check took, or several did. */
export async function judgeSlots(db: Database, url: string, from: Date, until: Date) {
  const slots = (await readSlots(db, from, until)).filter((slot) => slot.url === url);
  return {
    slots: slots.length,
    missed: slots.filter(({ checkedAt }) => checkedAt.length === 0).length,
    doubled: slots.filter(({ checkedAt }) => checkedAt.length > 1).length,
  };
}
