import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { createId } from '@/lib/core/ids';
import type { Logger } from '@/lib/core/logger';
import { logSuspension, watchSuspensions } from '@/lib/core/time/suspensions';
import { createSyncedClock } from '@/lib/core/time/synced-clock';
import { createWake } from '@/lib/core/time/wake';
import { packEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { type CheckEngine, startChecks } from '@/lib/engine/checks/drain-checks';
import { handOverShards, releaseShards } from '@/lib/engine/checks/end-checks';
import { OutageWatch } from '@/lib/engine/checks/outage-watch';
import { createShardKeeper } from '@/lib/engine/checks/shards/keep-shards';
import { createSlots } from '@/lib/engine/runtime/slots';
import { readMachine } from '@/lib/platform/machine/machine';
import { createOwnNetwork } from '@/lib/platform/net/canary';
import { combinePolicies, type TargetPolicy } from '@/lib/platform/net/target-policy';
import type { Exchange } from './exchange';
import { createLoadMeter } from './load-meter';
import { startOffline } from './offline/start-offline';
import { watchLink } from './offline/watch-link';
import { followRequests } from './remote-requests';
import { createRemoteStore } from './remote-store';
import { createSecretKeys } from './sealed-secrets';

/** The settings of a probe. */
export type ProbeOptions = {
  /** Requests to the service, with the token of a region. */
  exchange: Exchange;
  /** TARGET_POLICY and ALLOWED_PRIVATE_CIDRS of this machine; a target must be allowed by those of the service as well. */
  policy: TargetPolicy;
  checkConcurrency: number;
  dnsServers: string[];
  /** NETWORK_CANARY; empty: the gateways, and lookups through the resolvers. */
  canaries: string[];
  /** The version of Pharos that it is of. */
  version: string;
  /** How long checks continue while the service cannot be reached, in milliseconds. */
  offlineMs: number;
  /** Where late results are kept, and how many bytes of them. */
  spool: { directory: string; maxBytes: number };
  log: Logger;
};

/** Others take over a shard within a second, over a slow link. */
const HAND_OVER_MS = 4000;
/** What is not delivered by then is written to the disk. */
const KEEP_MS = 500;

/**
 * Runs the checks of the region of a token, like a worker, but reaches nothing of the service except its web address: no database, no
 * secret key, and no port of its own. Resolves once it is running; rejects with ExchangeError if the service cannot be reached or
 * refuses the token.
 */
export async function runProbe(options: ProbeOptions) {
  const { checkConcurrency, dnsServers, canaries, log } = options;
  const link = await connect(options);
  const { clock, exchange, hello } = link;
  const { region } = hello;
  const stopping = new AbortController();
  const { signal } = stopping;
  const network = createOwnNetwork(canaries, dnsServers);
  const outageWatch = new OutageWatch({ clock, log, network, onCutOff: () => undefined });
  const wake = createWake();
  const keepers: CheckEngine['keepers'] = new Map();
  const offline = await startOffline({
    clock,
    exchange,
    log,
    signal,
    acceptsLate: hello.acceptsLate,
    spool: options.spool,
    region,
    hasLease: () => keepers.get(region)?.isWithoutLease() === false,
  });
  const { recorder } = offline;
  const { meter, changes, keys, store } = await createReports(options, link, { outageWatch, offline });
  const suspensions = watchSuspensions(logSuspension(log));
  const probeEnvironment = readProbeEnvironment(options, hello, suspensions);
  const engine: CheckEngine = {
    openKeeper: (_region, onLoaded) =>
      createShardKeeper({ store, clock, region, log, onLoaded, continues: exchange.continues }),
    clock,
    // Sealed by the service.
    sealEvidence: async (result, show) => ({
      id: createId('evidence'),
      content: new Uint8Array(await packEvidence(result, show)),
    }),
    recorder: {
      ...recorder,
      add: (finished) => {
        meter.note(finished);
        return recorder.add(finished);
      },
    },
    probeEnvironment,
    outageWatch,
    slots: createSlots(checkConcurrency, wake.ring),
    keepers,
    wake,
    changes,
    log,
  };
  outageWatch.start();
  startChecks(engine, region, signal);
  const requests = followRequests({ ...engine, exchange, keys, region, signal });
  return {
    region,
    /** Hands its checks over, starts none, and sends what is finished; at most `graceMs`. */
    stop: async (graceMs: number): Promise<void> => {
      const begunAt = performance.now();
      await handOverShards(engine, Math.min(HAND_OVER_MS, graceMs / 2));
      stopping.abort();
      outageWatch.stop();
      suspensions.stop();
      recorder.stop();
      await finish(engine, requests, graceMs - KEEP_MS - (performance.now() - begunAt));
      await offline.end();
      link.stopClock();
    },
  };
}

/** Introduces the probe to the service, with a clock that follows its time. */
async function connect(options: ProbeOptions) {
  const hello = await options.exchange.request('hello', {});
  const clock = createSyncedClock(options.exchange.readTime);
  await clock.measure();
  const exchange = watchLink(options.exchange, {
    ...clock,
    offlineMs: options.offlineMs,
    onSample: clock.note,
    log: options.log,
  });
  const stopClock = clock.follow();
  return { hello, clock, exchange, stopClock };
}

type Link = Awaited<ReturnType<typeof connect>>;
type Reported = { outageWatch: OutageWatch; offline: Awaited<ReturnType<typeof startOffline>> };

/** Reports to the service how this probe is, and learns what to check. */
async function createReports(
  options: ProbeOptions,
  { clock, exchange }: Link,
  { outageWatch, offline }: Reported,
) {
  const meter = createLoadMeter(clock);
  const changes = createWake();
  const keys = await createSecretKeys();
  const store = createRemoteStore(exchange, keys, {
    startedAt: clock.now(),
    machine: readMachine(),
    network: outageWatch.condition,
    pendingMs: offline.recorder.oldestPendingMs,
    statistics: () => ({
      version: options.version,
      ...meter.read(),
      backlog: offline.recorder.pending() + offline.size(),
    }),
    // A report waits for news itself, so the next one follows at once.
    onReported: changes.ring,
  });
  return { meter, changes, keys, store };
}

function readProbeEnvironment(
  options: ProbeOptions,
  { policy, userAgent }: Link['hello'],
  suspensions: ProbeEnvironment['suspensions'],
): ProbeEnvironment {
  return {
    suspensions,
    policy: combinePolicies(options.policy, policy),
    userAgent,
    ...(options.dnsServers.length > 0 ? { dnsServers: options.dnsServers } : {}),
  };
}

/** Waits at most `restMs` for running checks, their recording, and requests. */
async function finish(engine: CheckEngine, requests: Promise<unknown>, restMs: number): Promise<void> {
  const done = engine.slots
    .idle()
    .then(engine.recorder.flushed)
    .then(() => releaseShards(engine))
    .then(() => requests);
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, restMs).unref())]);
}
