import { z } from 'zod';
import { nextRun } from '@/lib/checks/heartbeat/cron';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { respondToPage } from '../../respond-to-page';
import { readMonitorForm } from '../form-values';

const SHOWN = 3;
const requestSchema = z.strictObject({ schedule: nameOfObject });
const planSchema = z.object({ schedule: monitorFields.schedule.unwrap() });

/** The next runs of a schedule as typed in the form of a heartbeat, in its time zone. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.create', async ({ clock }, body) => {
    const typed = parseInput(requestSchema, body);
    const { schedule } = parseInput(planSchema, readMonitorForm({ type: 'heartbeat', ...typed }));
    const runs: string[] = [];
    let at = clock.now().getTime();
    while (runs.length < SHOWN) {
      const next = nextRun(schedule, at);
      if (next === null) break;
      at = next;
      runs.push(new Date(at).toISOString());
    }
    return { runs, timeZone: schedule.timeZone };
  });
}
