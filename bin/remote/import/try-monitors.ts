import pMap from 'p-map';
import { DomainError, formatProblem } from '@/lib/core/errors';
import { formatTiming } from '@/lib/core/time/duration';
import type { MonitorBody } from '@/lib/importing';
import { dropHidden } from '@/lib/schemas/monitor/fields';
import type { DryRun } from '@/lib/schemas/monitor/result';
import type { Api } from '../api';

const CONCURRENCY = 8;

/** One check of a monitor that is not created. `message` is the error, or the response time. */
export type Trial = { ref: string; name: string; outcome: DryRun['outcome'] | 'rejected'; message: string };

/** Checks the target of each monitor once, from the service, at most eight at a time; in the order given. */
export async function tryMonitors(
  api: Api,
  monitors: readonly MonitorBody[],
  onProgress: (done: number) => void,
): Promise<Trial[]> {
  let done = 0;
  return pMap(
    monitors,
    async (monitor) => {
      const trial = await tryMonitor(api, monitor);
      done += 1;
      onProgress(done);
      return trial;
    },
    { concurrency: CONCURRENCY },
  );
}

async function tryMonitor(api: Api, monitor: MonitorBody): Promise<Trial> {
  const { ref, name } = monitor;
  try {
    const { outcome, errorMessage, responseTime } = await api.call<DryRun>(
      'POST',
      '/monitors/test',
      dropHidden(monitor),
    );
    return { ref, name, outcome, message: errorMessage ?? formatTiming(responseTime ?? 0) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'UNAUTHORIZED') throw error;
    return { ref, name, outcome: 'rejected', message: formatProblem(error) };
  }
}
