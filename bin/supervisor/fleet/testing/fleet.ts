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
const MIN_INTERVAL_S = 4;
/** A machine that takes longer to start a worker than half of it is too slow for this. */
const MAX_INTERVAL_S = 20;

/**
 * How often monitors are checked, in seconds, so that a machine which takes `startMs` to start a worker can check all of them while it starts
 * another: one slot may pass meanwhile, but not two.
 */
export function chooseInterval(startMs: number): number {
  return Math.min(Math.max(MIN_INTERVAL_S, Math.ceil((2 * startMs) / 1000)), MAX_INTERVAL_S);
}

/** Adds monitors to every region, each checked from there alone. */
export async function addMonitors(
  ctx: OrganizationContext,
  url: string,
  { perRegion, intervalS }: { perRegion: number; intervalS: number },
): Promise<void> {
  for (const region of REGIONS) {
    for (let number = 0; number < perRegion; number++) {
      const input = { name: `${region} ${number}`, url, regions: [region], alertThreshold: 1, timeout: 3 };
      await createMonitor(ctx, createMonitorSchema.parse(input));
    }
  }
  await ctx.db.monitor.updateMany({ data: { interval: intervalS } });
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
