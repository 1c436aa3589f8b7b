import { monitorFields } from '@/lib/schemas/monitor/fields';
import type { Draft } from '../plan/draft';
import { setHeartbeat } from '../plan/heartbeat';

const NO_TIMES = 'A heartbeat needs a period, or a schedule.';
const BOTH = 'A heartbeat has either a period or a schedule, not both.';

type Times = { period: number | null; grace: number | null; schedule: string | null };

/** Makes the monitor a heartbeat. A schedule is a cron expression, followed by a time zone unless it is UTC. Returns what is wrong. */
export function setJob(draft: Draft, { period, grace, schedule }: Times): string | null {
  const text = schedule?.trim() ?? '';
  if (text !== '' && period !== null) return BOTH;
  if (text === '' && period === null) return NO_TIMES;
  setHeartbeat(draft, { period, grace });
  if (text === '') return null;
  const [, cron = '', timeZone] = /^((?:\S+\s+){4}\S+)(?:\s+(\S+))?$/.exec(text) ?? [];
  const parsed = monitorFields.schedule.safeParse(timeZone === undefined ? { cron } : { cron, timeZone });
  if (!parsed.success) return `The schedule ${parsed.error.issues[0]?.message ?? 'is not valid'}.`;
  draft.body.schedule = parsed.data;
  return null;
}
