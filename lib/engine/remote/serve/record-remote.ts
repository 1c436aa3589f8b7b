import type { ProbeResult } from '@/lib/checks/result';
import { describeError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { type SealedEvidence, sealForeign } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { loadMonitors } from '@/lib/engine/checks/shards/load-monitors';
import type { Input, Output, WireResult } from '@/lib/engine/remote/protocol';
import { RECORDED_WITHIN_MS, shardOf } from '@/lib/state/schedule-grid';
import type { ProbeServices, RemoteRunner } from './services';

/** What a batch saw, inflated: five hundred pages of 16 KiB, with their headers. */
const MAX_SEEN_BYTES = 16 * 1024 * 1024;

/** Clocks of probes differ by less. */
export const NEWEST_MS = 2000;

/**
 * Records results of a probe like those of a worker, under the leases that it holds now. What it says of a monitor is compared with what
 * is configured: results of other versions, shards, regions or times do not count. Returns how many counted, and the places of those that
 * may not have: all, if a lease was lost while they were recorded.
 */
export async function recordRemoteResults(
  services: ProbeServices,
  runner: RemoteRunner,
  { batch, isRepeated, results }: Input<'record'>,
): Promise<Output<'record'>> {
  const { region } = runner;
  const owned = await readOwned(services, runner);
  const current = results.filter(
    (result) => owned.epochs.get(result.shard) === result.epoch && isTimely(result, services),
  );
  if (current.length === 0) return { count: 0, uncounted: [...results.keys()] };
  await services.ensurePartition(services.clock.now());
  const selection = { shards: [...owned.epochs.keys()], ids: [...new Set(current.map(({ id }) => id))] };
  const { log } = services;
  const loaded = await loadMonitors(services, { region, feed: owned.feed, log }, selection);
  const monitors = new Map(loaded.map((monitor) => [monitor.id, monitor]));
  const finished = new Map<WireResult, FinishedCheck>();
  const seal = createSealer(services);
  for (const result of current) {
    const monitor = monitors.get(result.id);
    const { shard, epoch, startedAt } = result;
    if (monitor?.configVersion !== result.configVersion || shardOf(monitor.slot) !== shard) continue;
    const check = { monitor, lease: { shard, epoch }, dueAt: new Date(startedAt) };
    const evidence = await seal(result);
    const found = { startedAt: new Date(startedAt), result: toResult(result) };
    finished.set(result, { check, ...found, ...(evidence && { evidence }) });
  }
  const count = await recordResults(services, [...finished.values()], {
    id: batch,
    routine: null,
    isRepeated,
  });
  const isComplete = count === finished.size;
  const uncounted = [...results.keys()].filter((place) => {
    const result = results[place];
    return !isComplete || result === undefined || !finished.has(result);
  });
  return { count, uncounted };
}

/** The leases of a probe, and a snapshot from before everything that is read after it. */
async function readOwned({ db }: Pick<Services, 'db'>, { region, workerId }: RemoteRunner) {
  const rows = await db.$queryRaw<{ shard: number; epoch: number; snapshot: string }[]>`
    SELECT shard::int AS shard, epoch::float8 AS epoch, pg_current_snapshot()::text AS snapshot
      FROM raw.shard_lease WHERE region = ${region} AND owner = ${workerId}`;
  return {
    epochs: new Map(rows.map(({ shard, epoch }) => [shard, epoch])),
    feed: { snapshot: rows[0]?.snapshot ?? '1:1:' },
  };
}

/** Whatever claims to be older, or not yet begun, was not measured under a lease. */
function isTimely({ startedAt }: WireResult, { clock }: Pick<Services, 'clock'>): boolean {
  const now = clock.now().getTime();
  return startedAt >= now - RECORDED_WITHIN_MS && startedAt <= now + NEWEST_MS;
}

function toResult(wire: WireResult): ProbeResult {
  const { outcome, responseTime, statusCode, error, phases, bodySize, networkFailure } = wire;
  const { certificateIssuer, certificateName } = wire;
  return {
    outcome,
    responseTime,
    statusCode,
    phases,
    bodySize,
    networkFailure,
    certificateIssuer,
    certificateName,
    error:
      error === null
        ? null
        : {
            code: error.code,
            message: error.message,
            ...(error.detail !== undefined && { detail: error.detail }),
          },
    certificateExpiresAt: wire.certificateExpiresAt === null ? null : new Date(wire.certificateExpiresAt),
    evidence: null,
  };
}

/** Seals what the results of one batch saw. A check whose evidence cannot be kept still counts. */
function createSealer({ keyring, log }: Pick<ProbeServices, 'keyring' | 'log'>) {
  let remaining = MAX_SEEN_BYTES;
  return async ({ id, evidence }: WireResult): Promise<SealedEvidence | null> => {
    if (evidence === null || remaining === 0) return null;
    try {
      const { sealed, size } = await sealForeign(keyring, Buffer.from(evidence, 'base64'), remaining);
      remaining -= size;
      return sealed;
    } catch (error) {
      log.error({ monitor: id, error: describeError(error) }, 'could not keep what a check saw');
      return null;
    }
  };
}
