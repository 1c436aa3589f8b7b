import { notFound } from '@/lib/core/errors';
import type { Wake } from '@/lib/core/time/wake';
import type { AuthenticatedToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { findLateMonitors, type LateCheck, storeLate } from '@/lib/engine/checks/recording/store-late';
import { createDryRunStore } from '@/lib/engine/checks/requested/dry-run-store';
import { createManualCheckStore } from '@/lib/engine/checks/requested/manual-check-store';
import { createDatabaseStore } from '@/lib/engine/checks/shards/database-store';
import { type Beat, countToMove, type ShardStore } from '@/lib/engine/checks/shards/shard-store';
import {
  type Input,
  isOperation,
  type LateResult,
  MAX_LATE_MS,
  MAX_WAIT_MS,
  OPERATIONS,
  type OperationName,
  type Output,
  requestSchema,
} from '@/lib/engine/remote/protocol';
import { sealSecrets } from '@/lib/engine/remote/sealed-secrets';
import { parseInput } from '@/lib/schemas/validation';
import { waitsUntil } from '@/lib/state/schedule-grid';
import { forgetPresence, noteLeaving, notePresence } from './note-presence';
import { NEWEST_MS, recordRemoteResults } from './record-remote';
import type { ProbeServices, RemoteRunner } from './services';

/** Rung when the schedule may have changed, and when somebody may have requested a check. */
export type ProbeWakes = { changes: Wake; requests: Wake };

type Call = { services: ProbeServices; runner: RemoteRunner; store: ShardStore; wakes: ProbeWakes };
type Operations = {
  [Name in OperationName]: (call: Call, input: Input<Name>) => Promise<Output<Name>> | Output<Name>;
};

const operations: Operations = {
  hello: ({ services: { serviceName, targetPolicy }, runner: { region } }) => ({
    region,
    userAgent: `${serviceName}-Monitor/1.0`,
    acceptsLate: true,
    policy: { mode: targetPolicy.mode, allowedCidrs: [...targetPolicy.allowedCidrs] },
  }),
  register: async ({ store }) => ({ snapshot: await store.register() }),
  beat: async ({ services, runner, store, wakes: { changes } }, input) => {
    await notePresence(services, runner, input);
    return { beat: await awaitNews({ store, changes }, input) };
  },
  renew: async ({ store }) => ({ isKnown: await store.renew() }),
  takeFree: async ({ store }, { limit, judgedAgoMs }) => ({
    leases: await store.takeFree(limit, judgedAgoMs),
  }),
  load: async ({ store }, { publicKey, ...selection }) => {
    const loaded = await store.load({ snapshot: '' }, selection);
    const monitors = loaded.map(({ feed: _, isOutdated: __, replacedBy: ___, ...monitor }) => monitor);
    return { monitors: await sealSecrets(monitors, publicKey) };
  },
  release: async ({ store }, { shards }) => {
    await store.release(shards);
    return {};
  },
  announceLeaving: async ({ services, runner, store }) => {
    await noteLeaving(services, runner);
    return { count: await store.announceLeaving() };
  },
  areOwned: async ({ store }, { shards }) => ({ areOwned: await store.areOwned(shards) }),
  prune: async ({ store }, { judgedAgoMs }) => {
    await store.prune(judgedAgoMs);
    return {};
  },
  forget: async ({ services, runner, store }) => {
    await store.forget();
    await forgetPresence(services, runner);
    return {};
  },
  takeRequests: ({ services, runner, wakes: { requests } }, input) =>
    takeRequests(services, requests, { ...input, region: runner.region }),
  storeManualCheck: async ({ services, runner: { region } }, { checkId, checkedAt, ...found }) => {
    const result = { ...found, checkedAt: new Date(checkedAt) };
    await createManualCheckStore(services).store({ checkId, region }, result);
    return {};
  },
  storeDryRun: async ({ services, runner: { region } }, { id, result }) => {
    await createDryRunStore(services).store({ id, region }, result);
    return {};
  },
  record: ({ services, runner }, input) => recordRemoteResults(services, runner, input),
  recordLate: ({ services, runner }, input) => recordLateResults(services, runner, input),
};

/**
 * Performs an operation for a probe with an authenticated token. Throws NOT_FOUND for an unknown operation, and VALIDATION_ERROR.
 */
export async function serveProbe(
  services: ProbeServices,
  wakes: ProbeWakes,
  {
    token: { tokenId, region },
    address,
    operation,
    body,
  }: { token: AuthenticatedToken; address: string | null; operation: string; body: unknown },
): Promise<{ now: number; output: unknown }> {
  if (!isOperation(operation)) throw notFound('Operation');
  const { instance, input } = parseInput(requestSchema, body);
  // A probe cannot name itself as another worker.
  const runner = { region, workerId: `${tokenId}/${instance}`, tokenId, address };
  const store = createDatabaseStore(services, runner, services.log);
  const output = await perform(operation, { services, runner, store, wakes }, input);
  return { now: services.clock.now().getTime(), output };
}

function perform<Name extends OperationName>(name: Name, call: Call, input: unknown) {
  const run: Operations[Name] = operations[name];
  return run(call, parseInput(OPERATIONS[name].input, input) as Input<Name>);
}

/** Takes what people request in a region, once there is any or `waitMs` have passed. `requests` rings when there may be. */
async function takeRequests(
  services: ProbeServices,
  requests: Wake,
  { region, limit, waitMs, publicKey }: Input<'takeRequests'> & { region: string },
): Promise<Output<'takeRequests'>> {
  const until = performance.now() + Math.min(waitMs, MAX_WAIT_MS);
  for (;;) {
    const seen = requests.rings();
    const [manualChecks, dryRuns] = await Promise.all([
      createManualCheckStore(services).claim([region], limit),
      createDryRunStore(services).claim([region]),
    ]);
    const restMs = until - performance.now();
    if (manualChecks.length > 0 || dryRuns.length > 0 || restMs <= 0) {
      return {
        manualChecks: await sealSecrets(manualChecks, publicKey),
        dryRuns: await sealSecrets(dryRuns, publicKey),
      };
    }
    await requests.sleep(restMs, { seen });
  }
}

/** As often as a worker reports that it is alive. */
const BEAT_MS = 1000;

/**
 * Reports that a probe is alive, once a second until there is news for it or it has waited for `waitMs`: a change of its monitors or of
 * its shards, or shards to take or to give. Null if the other workers have forgotten it.
 */
async function awaitNews(
  { store, changes }: { store: ShardStore; changes: Wake },
  {
    waitMs,
    dueSince,
    ...report
  }: Pick<Input<'beat'>, 'waitMs' | 'dueSince' | 'snapshot' | 'own' | 'judgedAgoMs'>,
): Promise<Beat | null> {
  const until = performance.now() + Math.min(waitMs, MAX_WAIT_MS);
  for (;;) {
    const seen = changes.rings();
    const beat = await store.beat({ ...report, dueSince: dueSince === null ? null : new Date(dueSince) });
    const restMs = until - performance.now();
    if (beat === null || restMs <= 0 || isNews(beat, report.own)) return beat;
    await changes.sleep(Math.min(restMs, BEAT_MS), { seen });
  }
}

function isNews({ changed, own, ...shared }: Beat, known: Input<'beat'>['own']): boolean {
  const epochs = new Map(known.map(({ shard, epoch }) => [shard, epoch]));
  const isSame = own.length === known.length && own.every(({ shard, epoch }) => epochs.get(shard) === epoch);
  return changed.length > 0 || !isSame || countToMove(own.length, shared) !== 0;
}

/**
 * Adds late results of a probe to the history of its region. Those of other configurations and regions, and those that are too old or
 * not yet begun, are dropped. Those of slots that another probe may still record in time have to wait, so that nothing counts twice.
 */
async function recordLateResults(
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
    outcome,
    responseTime,
    statusCode,
    phases,
    error: error && { code: error.code, message: error.message },
    certificateExpiresAt: null,
    certificateIssuer: null,
    certificateName: null,
    bodySize: null,
    networkFailure: false,
    evidence: null,
  };
}
