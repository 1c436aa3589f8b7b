import { z } from 'zod';
import { listExpected } from '@/lib/checks/heartbeat/deadline';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { respondToPage } from '../../respond-to-page';
import { readMonitorForm } from '../form-values';

const SHOWN = 3;
const requestSchema = z.strictObject({ period: nameOfObject, schedule: nameOfObject });
const planSchema = z.object({ period: monitorFields.period, schedule: monitorFields.schedule });

/** When calls are expected by the plan as typed in the form of a heartbeat, and in which time zone; null: the reader's own. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.create', async ({ clock }, body) => {
    const typed = parseInput(requestSchema, body);
    const plan = parseInput(planSchema, readMonitorForm({ type: 'heartbeat', ...typed }));
    const expected = listExpected({ ...plan, grace: 0 }, clock.now().getTime(), SHOWN);
    return {
      runs: expected.map((at) => new Date(at).toISOString()),
      timeZone: plan.schedule?.timeZone ?? null,
    };
  });
}
