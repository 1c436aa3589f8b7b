import { z } from 'zod';
import { looseNumber, looseText, looseWord } from '../files/loose';
import { Draft } from '../plan/draft';
import { setHeartbeat } from '../plan/heartbeat';
import type { ImportedMonitor } from '../plan/plan';
import { refOf } from '../plan/ref';

/** The attributes of a heartbeat: https://betterstack.com/docs/uptime/api/heartbeats-api-response-params/. */
export const heartbeatSchema = z.object({
  name: looseText.transform((name) => name ?? ''),
  status: looseWord,
  paused_at: looseWord,
  period: looseNumber,
  grace: looseNumber,
});

/** One heartbeat of Better Stack as a monitor of Pharos, or why it cannot be imported. */
export function convertHeartbeat(
  id: string | null,
  { name, status, paused_at: pausedAt, period, grace }: z.output<typeof heartbeatSchema>,
): ImportedMonitor {
  // Heartbeats and monitors are numbered separately.
  const ref = id === null ? refOf('better-stack-heartbeat', name) : `better-stack-heartbeat-${id}`;
  const draft = new Draft({ name, kind: 'heartbeat', ref });
  if (period === null || period <= 0) return draft.reject('The file does not say how often the job calls.');
  setHeartbeat(draft, { period, grace: grace ?? 0 });
  draft.setEnabled(pausedAt === null && status !== 'paused');
  return draft.finish();
}
