import type { Services } from '@/lib/context/services';
import type { Logger } from '@/lib/core/logger';
import { createWake } from '@/lib/core/wake';
import type { SmtpSettings } from '@/lib/mail/smtp-transport';
import { askCanaries, type CanaryTarget, listDefaultCanaries, parseCanaryTarget } from '@/lib/net/canary';
import { createKeptConnections } from '@/lib/net/kept-connections';
import type { ProbeEnvironment } from '@/lib/probes/environment';
import { nextDueAt, type Share } from './claim-checks';
import { type CheckEngine, drainDueChecks } from './drain-checks';
import { createDeliveryEngine, drainDueDeliveries, finishTries } from './drain-deliveries';
import { createMailEngine, drainDueMail, mailDueAt } from './drain-mail';
import { oldestDueDelivery } from './find-deliveries';
import type { NoticeSettings } from './mail-notices';
import { createOutageWatch } from './outage-watch';
import { recordResults } from './record-results';
import { createResultRecorder } from './result-recorder';
import { runDryRuns } from './run-dry-runs';
import { createSlots } from './slots';
import { verifyDueDomains } from './verify-domains';

export type EngineOptions = {
  /** Under which this process claims; see heartbeat.ts. */
  workerId: string;
  services: Services;
  serviceName: string;
  checkConcurrency: number;
  dnsServers: string[];
  /** CUSTOM_DOMAIN_VERIFY: whether a custom domain is served only once its record is found. */
  domainsNeedProof: boolean;
  /** NETWORK_CANARY; empty: the gateway and the resolvers. */
  canaries: string[];
  /** How e-mail is sent, and how members are told what happened; null: no e-mail is sent. */
  mail: { smtp: SmtpSettings; notices: NoticeSettings } | null;
  /** Hears since when this worker is cut off from its network, and null when it is over. */
  onCutOff: (since: Date | null) => void;
  log: Logger;
};

/** The engine of one worker process: drains that functions call, and the places they share. */
export type Engine = {
  services: Services;
  drainChecks(share: Share, until: Date): Promise<void>;
  drainDeliveries(until: Date): Promise<void>;
  /** Null where no e-mail is sent. */
  drainMail: ((until: Date) => Promise<void>) | null;
  /** When the first of each kind of work is due that nobody does yet, in the past where it waits already; null: none. */
  dueAt: {
    checks(region: string): Promise<Date | null>;
    deliveries(): Promise<Date | null>;
    mail(): Promise<Date | null>;
  };
  /** Carries out the dry runs that somebody waits for in these regions. */
  runDryRuns(regions: readonly string[]): Promise<void>;
  /** Looks for the records of the custom domains that are due; answers how many. */
  verifyDomains(): Promise<number>;
  /** There may be new checks or deliveries: look now. */
  wake(): void;
  /** There may be new mail: look now. */
  wakeMail(): void;
  /** Lets nothing new begin, gives up running checks, waits for tries and records; at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

/** So many that a hundred endpoints that hang leave place for the others. */
const DELIVERIES_AT_ONCE = 600;
const DELIVERIES_PER_ENDPOINT = 5;

/** Assembles the engine of this process. */
export function createEngine(options: EngineOptions): Engine {
  const { workerId, services, serviceName, checkConcurrency, dnsServers, canaries, onCutOff, log } = options;
  const { domainsNeedProof: needsProof } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const wake = createWake();
  const recorder = createResultRecorder({ record: (finished) => recordResults(services, finished), log });
  const outageWatch = createOutageWatch({
    clock: services.clock,
    log,
    askCanary: async () => askCanaries(await listCanaries(canaries, dnsServers)),
    tellCutOff: onCutOff,
  });
  const probeEnvironment: ProbeEnvironment = {
    policy: services.targetPolicy,
    userAgent: `${serviceName}-Monitor/1.0`,
    ...(dnsServers.length > 0 ? { dnsServers } : {}),
  };
  const checks: CheckEngine = {
    workerId,
    outageWatch,
    services,
    recorder,
    wake,
    log,
    slots: createSlots(checkConcurrency, wake.ring),
    probeEnvironment,
  };
  const connections = createKeptConnections();
  const deliveries = createDeliveryEngine({
    workerId,
    services,
    wake,
    log,
    serviceName,
    sender: { policy: services.targetPolicy, connections },
    total: DELIVERIES_AT_ONCE,
    perEndpoint: DELIVERIES_PER_ENDPOINT,
    signal,
  });
  const mail = options.mail && createMailEngine({ workerId, services, serviceName, log, ...options.mail });
  return {
    services,
    drainChecks: (share, until) => drainDueChecks(checks, share, { until, signal }),
    drainDeliveries: (until) => drainDueDeliveries(deliveries, { until, signal }),
    drainMail: mail && ((until) => drainDueMail(mail, { until, signal })),
    dueAt: {
      checks: (region) => nextDueAt(services, { region, shard: 0, shards: 1 }),
      deliveries: () => oldestDueDelivery(services),
      mail: async () => mail && mailDueAt(mail),
    },
    runDryRuns: (regions) => runDryRuns(services, regions, { ...probeEnvironment, signal }),
    verifyDomains: () => verifyDueDomains(services, { needsProof, dnsServers, signal }),
    wake: wake.ring,
    wakeMail: () => mail?.wake.ring(),
    stop: async (graceMs) => {
      stopping.abort();
      outageWatch.stop();
      recorder.stop();
      deliveries.recorder.stop();
      const done = Promise.all([
        checks.slots.idle().then(recorder.flushed),
        deliveries.pump.giveBack().then(() => finishTries(deliveries)),
        mail?.slots.idle(),
      ]);
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      connections.close();
      mail?.transport.close();
    },
  };
}

async function listCanaries(canaries: string[], dnsServers: string[]): Promise<CanaryTarget[]> {
  if (canaries.length === 0) return listDefaultCanaries(dnsServers);
  return canaries.map(parseCanaryTarget).filter((target) => target !== null);
}
