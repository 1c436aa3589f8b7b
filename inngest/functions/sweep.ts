import { cron, type Inngest } from 'inngest';
import type { Clock } from '@/lib/core/time/clock';
import type { DrainFunction } from '../drain-function';
import type { AppStarted } from '../events';

const MINUTE = 60_000;
/** Drains outlast their minute, so a late next sweep leaves no gap; claims prevent duplicates. */
const OVERLAP = 10_000;

/** Every minute, and when a worker starts: sends one event per share of the work, never one per item. */
export function createSweep(
  client: Inngest,
  { clock, started, drains }: { clock: Clock; started: AppStarted; drains: readonly DrainFunction[] },
) {
  const options = { id: 'sweep', retries: 0 as const, triggers: [cron('* * * * *'), started] };
  return client.createFunction(options, async ({ step, runId }) => {
    const now = clock.now().getTime();
    const until = new Date(Math.floor(now / MINUTE) * MINUTE + MINUTE + OVERLAP).toISOString();
    const events = drains.flatMap((drain) => drain.wakes({ id: runId, until }));
    await step.sendEvent('wake the drains', events);
  });
}
