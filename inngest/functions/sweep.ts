import { cron, type Inngest } from 'inngest';
import type { Clock } from '@/lib/core/clock';
import type { appStarted } from '../events';

const MINUTE = 60_000;
/** Drains outlive their minute, so that none is missing where the next sweep comes late; claims keep them apart. */
const OVERLAP = 10_000;

/** What an app's sweep sends; the ids make a repeated step send nothing new. */
export type DueEvents = (until: string, idOf: (part: string) => { id: string }) => { name: string }[];

/** Every minute, and as a worker starts: one event per share of the work, never one per check, delivery or mail. */
export function createSweep(
  client: Inngest,
  {
    clock,
    started,
    dueEvents,
  }: { clock: Clock; started: ReturnType<typeof appStarted>; dueEvents: DueEvents },
) {
  const options = { id: 'sweep', retries: 0 as const, triggers: [cron('* * * * *'), started] };
  return client.createFunction(options, async ({ step, runId }) => {
    const now = clock.now().getTime();
    const until = new Date(Math.floor(now / MINUTE) * MINUTE + MINUTE + OVERLAP).toISOString();
    const events = dueEvents(until, (part) => ({ id: `${runId} ${part}` }));
    await step.sendEvent('wake the drains', events);
  });
}
