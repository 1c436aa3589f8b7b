import { notFound } from '@/lib/core/errors';
import type { Clock } from '@/lib/core/time/clock';
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
import { notePresence } from './note-presence';
import { recordRemoteResults } from './record-remote';
import type { ProbeServices, RemoteRunner } from './services';
import { takeRequests } from './take-requests';

/** Rung when the schedule may have changed, and when somebody may have requested a check. */
export type ProbeWakes = { changes: Wake; requests: Wake };

type Call = { services: ProbeServices; runner: RemoteRunner; store: ShardStore; wakes: ProbeWakes };
type Operations = {
  [Name in OperationName]: (call: Call, input: Input<Name>) => Promise<Output<Name>> | Output<Name>;
};

const ago = (clock: Clock, ms: number) => new Date(clock.now().getTime() - ms);

/** The times of a probe do not matter: everything that is compared to others is timed here. */
const operations: Operations = {
  hello: ({ services: { serviceName, targetPolicy }, runner: { region } }) => ({
    region,
    userAgent: `${serviceName}-Monitor/1.0`,
    policy: { mode: targetPolicy.mode, allowedCidrs: [...targetPolicy.allowedCidrs] },
  }),
  register: async ({ services: { clock }, store }) => ({ snapshot: await store.register(clock.now()) }),
  beat: async ({ services, runner, store, wakes: { changes } }, input) => {
    await notePresence(services, runner, input);
    return { beat: await awaitNews({ clock: services.clock, store, changes }, input) };
  },
  renew: async ({ services: { clock }, store }) => ({ isKnown: await store.renew(clock.now()) }),
  takeFree: async ({ services: { clock }, store }, { limit, judgedAgoMs }) => ({
    leases: await store.takeFree(limit, ago(clock, judgedAgoMs)),
  }),
  load: async ({ store }, { publicKey, ...selection }) => {
    const loaded = await store.load({ snapshot: '' }, selection);
    const monitors = loaded.map(({ feed: _, isOutdated: __, ...monitor }) => monitor);
    return { monitors: await sealSecrets(monitors, publicKey) };
  },
  release: async ({ services: { clock }, store }, { shards }) => {
    await store.release(clock.now(), shards);
    return {};
  },
  announceLeaving: async ({ services: { clock }, store }) => ({
    count: await store.announceLeaving(clock.now()),
  }),
  areOwned: async ({ store }, { shards }) => ({ areOwned: await store.areOwned(shards) }),
  prune: async ({ services: { clock }, store }, { judgedAgoMs }) => {
    await store.prune(ago(clock, judgedAgoMs));
    return {};
  },
  forget: async ({ services: { db }, runner: { workerId }, store }) => {
    await store.forget();
    await db.worker.deleteMany({ where: { id: workerId } });
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
  record: async ({ services, runner }, input) => ({
    count: await recordRemoteResults(services, runner, input),
  }),
};

/**
 * Performs an operation for a probe with an authenticated token. Throws NOT_FOUND for an unknown operation, and VALIDATION_ERROR.
 */
export async function serveProbe(
  services: ProbeServices,
  wakes: ProbeWakes,
  { token, operation, body }: { token: AuthenticatedToken; operation: string; body: unknown },
): Promise<{ now: number; output: unknown }> {
  if (!isOperation(operation)) throw notFound('Operation');
  const { instance, input } = parseInput(requestSchema, body);
  // A probe cannot name itself as another worker.
  const runner = { region: token.region, workerId: `${token.tokenId}/${instance}` };
  const store = createDatabaseStore(services, runner, services.log);
  const output = await perform(operation, { services, runner, store, wakes }, input);
  return { now: services.clock.now().getTime(), output };
}

function perform<Name extends OperationName>(name: Name, call: Call, input: unknown) {
  const run: Operations[Name] = operations[name];
  return run(call, parseInput(OPERATIONS[name].input, input) as Input<Name>);
}
