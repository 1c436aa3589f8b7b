import { formatProblem, type Problem } from '@/lib/core/errors';
import { inBatches } from '@/lib/core/groups';
import type { MonitorBody } from '@/lib/importing';
import type { Api } from '../api';

/** Of one request, which takes a slow service seconds. */
const MAX_MONITORS = 100;

export type ImportSummary = {
  created: number;
  changed: number;
  unchanged: number;
  /** The URL of each imported heartbeat, which its job must call from now on. */
  heartbeats: { ref: string; name: string; url: string }[];
  failures: { ref: string; name: string; code: string; message: string }[];
};

type Result = { status: number } & (
  | { monitor: { version: number; heartbeatUrl: string | null } }
  | { error: Problem & { code: string } }
);

/**
 * Creates monitors, or updates those whose `ref` exists, so that a second run repairs the first. Calls `onProgress` with the
 * number done. One that is rejected does not keep others from being written.
 */
export async function upsertMonitors(
  api: Api,
  monitors: readonly MonitorBody[],
  onProgress: (done: number) => void,
): Promise<ImportSummary> {
  const versions = new Map<string | null, number>();
  for await (const { ref, version } of api.list<{ ref: string | null; version: number }>('/monitors')) {
    versions.set(ref, version);
  }
  const outcome: ImportSummary = { created: 0, changed: 0, unchanged: 0, heartbeats: [], failures: [] };
  let done = 0;
  for (const batch of inBatches(monitors, MAX_MONITORS, (monitor) => monitor)) {
    const body = { monitors: batch, upsert: true };
    const { results } = await api.call<{ results: Result[] }>('POST', '/monitors/bulk', body);
    batch.forEach((monitor, index) => {
      const result = results[index];
      if (result === undefined) throw new Error('The response has fewer results than monitors were sent.');
      record(outcome, monitor, result, versions.get(monitor.ref));
    });
    done += batch.length;
    onProgress(done);
  }
  return outcome;
}

function record(outcome: ImportSummary, { ref, name }: MonitorBody, result: Result, before?: number): void {
  if ('error' in result) {
    outcome.failures.push({ ref, name, code: result.error.code, message: formatProblem(result.error) });
    return;
  }
  const { heartbeatUrl: url } = result.monitor;
  if (url !== null) outcome.heartbeats.push({ ref, name, url });
  if (result.status === 201) outcome.created += 1;
  else if (result.monitor.version === before) outcome.unchanged += 1;
  else outcome.changed += 1;
}
