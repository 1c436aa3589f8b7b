import { findLateMonitors, type LateCheck, storeLate } from '@/lib/engine/checks/recording/store-late';
import { type Input, type LateResult, MAX_LATE_MS, type Output } from '@/lib/engine/remote/protocol';
import { waitsUntil } from '@/lib/state/schedule-grid';
import { NEWEST_MS } from './record-remote';
import type { ProbeServices, RemoteRunner } from './services';

/**
 * Adds late results of a probe to the history of its region. Those of other configurations and regions, and those that are too old or
 * not yet begun, are dropped. Those of slots that another probe may still record in time have to wait, so that nothing counts twice.
 */
export async function recordLateResults(
  services: ProbeServices,
  { region }: RemoteRunner,
  { results, lost }: Input<'recordLate'>,
): Promise<Output<'recordLate'>> {
  const { db, clock, log } = services;
  if (lost > 0) log.warn({ region, lost }, 'a probe has given up results: it was offline for too long');
  const now = clock.now().getTime();
  const monitors = new Map(
    (await findLateMonitors(db, region, [...new Set(results.map(({ id }) => id))])).map((monitor) => [
      monitor.id,
      monitor,
    ]),
  );
  const late: LateCheck[] = [];
  const waiting: number[] = [];
  for (const [place, result] of results.entries()) {
    const monitor = monitors.get(result.id);
    const { startedAt } = result;
    if (monitor?.configVersion !== result.configVersion || !isPlausible(startedAt, now)) continue;
    if (now < waitsUntil(startedAt, monitor)) waiting.push(place);
    else late.push({ check: { monitor }, startedAt: new Date(startedAt), result: toResult(result) });
  }
  await services.ensurePartition(new Date(now));
  const count = await storeLate(services, late);
  return count === null ? { count: 0, waiting: [...results.keys()] } : { count, waiting };
}

function isPlausible(startedAt: number, now: number): boolean {
  return startedAt >= now - MAX_LATE_MS && startedAt <= now + NEWEST_MS;
}

function toResult({ outcome, responseTime, statusCode, error, phases }: LateResult): LateCheck['result'] {
  return {
    ...{ outcome, responseTime, statusCode, phases },
    error: error && { code: error.code, message: error.message },
    ...{ certificateExpiresAt: null, certificateIssuer: null, certificateName: null, bodySize: null },
    ...{ networkFailure: false, evidence: null },
  };
}
