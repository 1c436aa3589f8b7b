import { notFound } from '@/lib/core/errors';
import type { Wake } from '@/lib/core/time/wake';
import type { AuthenticatedToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { createDryRunStore } from '@/lib/engine/checks/requested/dry-run-store';
import { createManualCheckStore } from '@/lib/engine/checks/requested/manual-check-store';
import { createDatabaseStore } from '@/lib/engine/checks/shards/database-store';
import type { ShardStore } from '@/lib/engine/checks/shards/shard-store';
import {
  type Input,
  isOperation,
  OPERATIONS,
  type OperationName,
  type Output,
  requestSchema,
} from '@/lib/engine/remote/protocol';
import { sealSecrets } from '@/lib/engine/remote/sealed-secrets';
import { parseInput } from '@/lib/schemas/validation';
import { awaitNews } from './await-news';
import { forgetPresence, noteLeaving, notePresence } from './note-presence';
import { recordLateResults } from './record-late';
import { recordRemoteResults } from './record-remote';
import type { ProbeServices, RemoteRunner } from './services';
import { takeRequests } from './take-requests';

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
    const monitors = loaded.map(({ feed: _, isOutdated: __, ...monitor }) => monitor);
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
