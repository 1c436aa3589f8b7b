import { monitorFields } from '@/lib/schemas/monitor/fields';
import { MAX_PERIOD, MIN_PERIOD } from '@/lib/schemas/monitor/fields/call-fields';
import type { Draft } from './draft';
import { spanOf } from './sentences';

/** Of every imported heartbeat: only Pharos knows the URL that it has created. */
const NEW_URL = 'Its job must call another URL, which is shown after the import.';

/** Makes the monitor a heartbeat. Both times are seconds; null leaves a default, or a period to a schedule. */
export function setHeartbeat(
  draft: Draft,
  { period, grace }: { period: number | null; grace: number | null },
): void {
  draft.setTarget('heartbeat', '');
  if (period !== null) {
    const allowed = Math.min(MAX_PERIOD, Math.max(MIN_PERIOD, Math.round(period)));
    draft.body.period = allowed;
    if (allowed !== period)
      draft.change(`A call every ${spanOf(period)} becomes one every ${spanOf(allowed)}.`);
  }
  if (grace !== null) {
    const allowed = Math.min(MAX_PERIOD, Math.max(0, Math.round(grace)));
    draft.body.grace = allowed;
    if (allowed !== grace) draft.change(`A grace of ${spanOf(grace)} becomes one of ${spanOf(allowed)}.`);
  }
  draft.change(NEW_URL);
}

/** When the job calls, instead of a period. Returns what is wrong with the schedule. */
export function setSchedule(draft: Draft, schedule: { cron: string; timeZone?: string }): string | null {
  const parsed = monitorFields.schedule.safeParse(schedule);
  if (!parsed.success) return `The schedule ${parsed.error.issues[0]?.message ?? 'is not valid'}.`;
  draft.body.schedule = parsed.data;
  return null;
}
