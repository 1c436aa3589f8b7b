import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import type { Logger } from '@/lib/core/logger';
import { createWake } from '@/lib/core/wake';
import type { Services } from '@/lib/domain/context/services';
import type { SmtpSettings } from '@/lib/platform/mail/smtp-transport';
import {
  type CanaryTarget,
  checkCanaries,
  listDefaultCanaries,
  parseCanaryTarget,
} from '@/lib/platform/net/canary';
import { createKeptConnections } from '@/lib/platform/net/kept-connections';
import { monitorDefaults, type ProbeTarget } from '@/lib/schemas/monitor/fields';
import { isRegionId } from '@/lib/schemas/regions';
import type { DryRun } from '@/lib/schemas/result';
import { nextDueAt, type Share } from './checks/claim-checks';
import { type CheckEngine, drainDueChecks } from './checks/drain-checks';
import { createOutageWatch } from './checks/outage-watch';
import { createResultRecorder } from './checks/record-results';
import { createDeliveryEngine, drainDueDeliveries, finishAttempts } from './deliveries/drain-deliveries';
import type { SlotLimits } from './deliveries/endpoint-slots';
import { oldestDueDelivery } from './deliveries/find-deliveries';
import { createMailEngine, drainDueMail, mailDueAt } from './mail/drain-mail';
import type { NoticeSettings } from './mail/mail-notices';
import { createSlots } from './runtime/slots';
import { verifyDueDomains } from './upkeep/verify-domains';

/** Nobody waits longer for the answer. */
const FRESH_MS = 70_000;

const AT_ONCE = 20;

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
  /**
   * How many results, delivery attempts and mail attempts are finished and not recorded yet, and for how many milliseconds
   * the oldest has been; null: none is. A result that waits for the canary is not finished.
   */
  recording(): { pending: number; oldestMs: number | null };
  /** There may be new checks or deliveries: look now. */
  wake(): void;
  /** There may be new mail: look now. */
  wakeMail(): void;
  /** Lets nothing new begin, gives up running checks, waits for tries and records; at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

/** So many that neither a hundred endpoints that hang nor one organization's flood delays the others. */
const DELIVERY_LIMITS: SlotLimits = {
  total: 600,
  reserved: 100,
  perOrganization: 150,
  perEndpoint: { least: 5, most: 60 },
};

/** Assembles the engine of this process. */
export function createEngine(options: EngineOptions): Engine {
  const { workerId, serviceName, checkConcurrency, dnsServers, canaries, onCutOff, log } = options;
  const { domainsNeedProof: needsProof } = options;
  const services = { ...options.services, log };
  const stopping = new AbortController();
  const { signal } = stopping;
  const wake = createWake();
  const recorder = createResultRecorder(services, log);
  const outageWatch = createOutageWatch({
    clock: services.clock,
    log,
    askCanary: async () => checkCanaries(await listCanaries(canaries, dnsServers)),
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
    shareClaims: new Map(),
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
    limits: DELIVERY_LIMITS,
    signal,
  });
  const mail = options.mail && createMailEngine({ workerId, services, serviceName, log, ...options.mail });
  const recorders = [recorder, deliveries.recorder, ...(mail ? [mail.recorder] : [])];
  return {
    services,
    drainChecks: (share, until) => drainDueChecks(checks, share, { until, signal }),
    drainDeliveries: (until) => drainDueDeliveries(deliveries, { until, signal }),
    drainMail: mail && ((until) => drainDueMail(mail, { until, signal })),
    dueAt: {
      checks: async (region) =>
        checks.slots.free() > 0 ? nextDueAt(services, { region, shard: 0, shards: 1 }) : null,
      deliveries: () => oldestDueDelivery(services),
      mail: async () => mail && mailDueAt(mail),
    },
    runDryRuns: (regions) => runDryRuns(services, regions, { ...probeEnvironment, signal }),
    verifyDomains: () => verifyDueDomains(services, { needsProof, dnsServers, signal }),
    recording: () => {
      const ages = recorders.map((one) => one.oldestPendingMs()).filter((ms) => ms !== null);
      return {
        pending: recorders.reduce((sum, one) => sum + one.pending(), 0),
        oldestMs: ages.length === 0 ? null : Math.max(...ages),
      };
    },
    wake: wake.ring,
    wakeMail: () => mail?.wake.ring(),
    stop: async (graceMs) => {
      stopping.abort();
      outageWatch.stop();
      for (const one of recorders) one.stop();
      const done = Promise.all([
        checks.slots.idle().then(recorder.flushed),
        deliveries.pump.giveBack().then(() => finishAttempts(deliveries)),
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

/**
 * Carries out the dry runs that wait in these regions, side by side, and writes down what they found for the web process
 * that asked. A row is taken by one worker only.
 */
export async function runDryRuns(
  services: Services,
  regions: readonly string[],
  environment: ProbeEnvironment,
): Promise<void> {
  const now = services.clock.now();
  const since = new Date(now.getTime() - FRESH_MS);
  const claimed = await services.db.$queryRaw<{ id: string; region: string; targetSealed: Uint8Array }[]>`
    UPDATE dry_run SET claimed_at = ${now}
     WHERE id IN (SELECT id FROM dry_run
                   WHERE claimed_at IS NULL AND region = ANY(${[...regions]}) AND created_at > ${since}
                   ORDER BY created_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING id, region, target_sealed AS "targetSealed"`;
  await Promise.all(
    claimed.map(async ({ id, region, targetSealed }) => {
      // What asked may be of a version that does not know every field.
      const target = { ...monitorDefaults, ...JSON.parse(services.keyring.open(targetSealed, id)) };
      const result = await carryOut(services, target, region, environment);
      await services.db.dryRun.updateMany({ where: { id }, data: { result } });
    }),
  );
}

async function carryOut(
  { clock }: Services,
  target: ProbeTarget,
  region: string,
  environment: ProbeEnvironment,
): Promise<DryRun> {
  if (!isRegionId(region)) throw new Error(`a dry run waits in an unknown region: ${region}`);
  const checkedAt = clock.now().toISOString();
  const { outcome, responseTime, statusCode, error, phases, ...found } = await probe(target, environment);
  return {
    checkedAt,
    region,
    outcome,
    responseTime,
    statusCode,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    phases,
    certificateExpiresAt: found.certificateExpiresAt?.toISOString() ?? null,
    certificateIssuer: found.certificateIssuer,
    bodySize: found.bodySize,
  };
}
