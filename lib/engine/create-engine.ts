import { setMaxListeners } from 'node:events';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import type { Logger } from '@/lib/core/logger';
import { logSuspension, watchSuspensions } from '@/lib/core/time/suspensions';
import { createWake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import { sealEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { createMoments, type Moments } from '@/lib/platform/db/moments';
import type { SmtpSettings } from '@/lib/platform/mail/smtp-transport';
import type { OwnNetwork } from '@/lib/platform/net/canary';
import { createKeptConnections } from '@/lib/platform/net/kept-connections';
import { type CheckEngine, startChecks } from './checks/drain-checks';
import { handOverShards, releaseShards } from './checks/end-checks';
import { OutageWatch } from './checks/outage-watch';
import { createResultRecorder } from './checks/recording/record-results';
import { createDryRunStore } from './checks/requested/dry-run-store';
import { createManualCheckStore } from './checks/requested/manual-check-store';
import { runDryRuns } from './checks/requested/run-dry-runs';
import { createManualChecks } from './checks/requested/run-manual-checks';
import { createDatabaseKeeper } from './checks/shards/database-store';
import { createBeats, readOverdue } from './checks/shards/leases';
import { OrganizationShares } from './checks/shards/organization-shares';
import { awaitAttempts, createDeliveryEngine, drainDueDeliveries } from './deliveries/drain-deliveries';
import { DELIVERY_LIMITS } from './deliveries/endpoint-slots';
import { oldestDueDelivery } from './deliveries/find-deliveries';
import { drainDeadlines } from './heartbeats/drain-deadlines';
import { createWayIn } from './heartbeats/lost-calls';
import { nextDeadlineAt } from './heartbeats/miss-deadlines';
import { createMailEngine, drainDueMail, mailDueAt } from './mail/drain-mail';
import type { NoticeSettings } from './mail/gather-notices';
import type { EngineMetrics } from './metrics/engine-metrics';
import type { BatchRecorder } from './runtime/batch-recorder';
import { createSlots } from './runtime/slots';
import { createTimetable, type JobReport } from './timetable/run-timetable';
import { verifyDueDomains } from './upkeep/verify-domains';

export type EngineOptions = {
  workerId: string;
  services: Services;
  serviceName: string;
  checkConcurrency: number;
  dnsServers: string[];
  /** CUSTOM_DOMAIN_VERIFY: whether a custom domain is only served once its record is found. */
  domainsNeedProof: boolean;
  /** What this worker can learn of its own network. */
  network: OwnNetwork;
  /** The mail server at present, and how members are notified; null: this worker sends no email. */
  mail: { smtp: () => SmtpSettings | null; notices: NoticeSettings } | null;
  /** Called when this worker is cut off from its network, and when it no longer is. */
  onCutOff: () => void;
  /** What the process counts; null: nothing. */
  metrics?: EngineMetrics | null;
  log: Logger;
};

/** The engine of one worker process: the drains that functions call, and their shared slots. */
export type Engine = ReturnType<typeof createEngine>;

/** Others read a shard in a fraction of a second. */
const HAND_OVER_MS = 6000;
/** How long before its end a stopping worker gives up what it could not record, so that it still releases the rest. */
const RELEASE_MS = 1000;

/** How many loops and delays wait for its stop before Node.js warns of a leak: a few for each region and duty. */
const MAX_SLEEPERS = 100;

/** Assembles the engine of this process. */
export function createEngine(options: EngineOptions) {
  const { domainsNeedProof: needsProof, dnsServers, metrics = null, log } = options;
  const services = { ...options.services, log };
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(MAX_SLEEPERS, signal);
  const checking = assembleChecks(options, services, signal);
  const { checks, outageWatch, wayIn, suspensions, probeEnvironment, recorder, manualChecks, dryRuns } =
    checking;
  const moments = createMoments(services.db);
  const sending = assembleSending(options, services, { moments, signal });
  const { deliveries, mail } = sending;
  const needs = { services, notices: options.mail?.notices ?? null };
  const timetable = createTimetable(needs, { observer: metrics?.jobs, signal, log });
  const recorders = [recorder, deliveries.recorder, ...(mail ? [mail.recorder] : [])];
  const recording = () => sumPending(recorders);
  metrics?.watch({ recording, freeCheckSlots: checks.slots.free, suspensions });
  return {
    services,
    /** Runs the checks of a region from now on, until the engine stops. */
    startChecks: (region: string): void => {
      outageWatch.start();
      startChecks(checks, region, signal);
    },
    /** What this worker reports of its own network. */
    network: outageWatch.condition,
    runsChecks: (region: string): boolean => checks.keepers.has(region),
    drainDeliveries: (until: Date): Promise<void> => drainDueDeliveries(deliveries, { until, signal }),
    drainDeadlines: (until: Date): Promise<void> => {
      outageWatch.start();
      return drainDeadlines({ services, moments, wayIn, log }, { until, signal });
    },
    /** Null if this worker sends no email. */
    drainMail: mail && ((until: Date): Promise<void> => drainDueMail(mail, { until, signal })),
    /** Runs the jobs of the timetable from now on, until the engine stops. */
    startTimetable: timetable.start,
    /** What the jobs of this worker have done; empty if it does not run them. */
    jobs: (): JobReport[] => timetable.report(),
    /** When the first work of each kind is due that nobody does, in the past if it is already waiting; null: none. */
    dueAt: readersOfDue({ services, moments }, mail),
    runDryRuns: (regions: readonly string[]): Promise<void> =>
      runDryRuns(dryRuns, regions, { ...probeEnvironment, signal }),
    /** Stops a dry run that nobody waits for any more, if it runs here. */
    stopDryRun: (id: string): void => dryRuns.running.get(id)?.abort(),
    /** Looks for checks that were requested in these regions now. */
    wakeManualChecks: manualChecks.wake,
    /** Verifies the custom domains that are due; returns how many. */
    verifyDomains: (): Promise<number> => verifyDueDomains(services, { needsProof, dnsServers, signal }),
    /** What is finished but not recorded, except results held for the canary: how many, and the oldest's age. */
    recording,
    /** Reads now what was changed about checks. */
    wakeChecks: checks.changes.ring,
    /** Looks now for new deliveries, and for what the jobs of the timetable handle, such as changes of maintenance. */
    wakeDeliveries: (): void => {
      deliveries.wake.ring();
      timetable.wake();
    },
    wakeMail: (): void => mail?.wake.ring(),
    /** Hands its checks over, starts no new work, aborts running checks, waits for attempts and recording; at most `graceMs`. */
    stop: async (graceMs: number): Promise<void> => {
      const begunAt = performance.now();
      await handOverShards(checks, Math.min(HAND_OVER_MS, Math.floor(graceMs / 2)));
      stopping.abort();
      const restMs = graceMs - (performance.now() - begunAt);
      await finish({ ...checking, ...sending, timetable }, restMs);
    },
  };
}

function readersOfDue(
  { services, moments }: { services: Services; moments: Moments },
  mail: ReturnType<typeof assembleSending>['mail'],
) {
  return {
    checks: (region: string): Promise<Date | null> => readOverdue(services, region),
    deliveries: (): Promise<Date | null> => oldestDueDelivery(services),
    deadlines: (): Promise<Date | null> => moments(nextDeadlineAt(services.clock.now())),
    mail: async (): Promise<Date | null> => mail && mailDueAt(mail, { hasSlot: true }),
  };
}

/** What runs checks: of regions, requested ones, and dry runs. */
function assembleChecks(options: EngineOptions, services: Services & { log: Logger }, signal: AbortSignal) {
  const { workerId, serviceName, checkConcurrency, dnsServers, network, onCutOff, metrics, log } = options;
  const checkWake = createWake();
  const recorder = createResultRecorder(services, log, metrics?.checks);
  const outageWatch = new OutageWatch({
    clock: services.clock,
    log,
    network,
    onCutOff,
    onBack: (workedUntil) => wayIn.onBack(workedUntil),
  });
  const wayIn = createWayIn(services, { workerId, reachesNetwork: outageWatch.reachesNetwork, log });
  const suspensions = watchSuspensions(logSuspension(log));
  const probeEnvironment: ProbeEnvironment = {
    suspensions,
    policy: services.targetPolicy,
    userAgent: `${serviceName}-Monitor/1.0`,
    ...(dnsServers.length > 0 ? { dnsServers } : {}),
  };
  const { clock, keyring, races } = services;
  // Its regions share the slots.
  const shares = new OrganizationShares();
  const beats = createBeats(services, workerId);
  const checks: CheckEngine = {
    openKeeper: (region, onLoaded) =>
      createDatabaseKeeper(services, { region, workerId }, { log, onLoaded, shares, beats }),
    outageWatch,
    clock,
    ...(races && { races }),
    sealEvidence: (result, show) => sealEvidence(keyring, result, show),
    recorder,
    wake: checkWake,
    changes: createWake(),
    log,
    slots: createSlots(checkConcurrency, checkWake.ring),
    keepers: new Map(),
    probeEnvironment,
  };
  const manualChecks = createManualChecks({
    clock,
    probeEnvironment,
    outageWatch,
    log,
    signal,
    requests: createManualCheckStore(services),
  });
  const dryRuns = {
    requests: createDryRunStore(services),
    clock,
    running: new Map<string, AbortController>(),
  };
  return { checks, outageWatch, wayIn, suspensions, probeEnvironment, recorder, manualChecks, dryRuns };
}

type Running = ReturnType<typeof assembleChecks> &
  ReturnType<typeof assembleSending> & { timetable: ReturnType<typeof createTimetable> };

/** Waits at most `restMs` for what is running and for what is not recorded yet. */
async function finish(running: Running, restMs: number): Promise<void> {
  const { checks, outageWatch, suspensions, recorder, manualChecks } = running;
  const { connections, deliveries, mail, timetable } = running;
  outageWatch.stop();
  suspensions.stop();
  connections.close();
  // The database may have been stopped by the same signal: its supervisor starts it once more.
  for (const one of [recorder, deliveries.recorder, mail?.recorder]) one?.stop(restMs - RELEASE_MS);
  const done = Promise.all([
    checks.slots
      .idle()
      .then(recorder.flushed)
      .then(() => releaseShards(checks)),
    deliveries.pump.release().then(() => awaitAttempts(deliveries)),
    mail?.slots.idle(),
    mail?.deliveries.slots.idle(),
    mail?.pushes.slots.idle(),
    manualChecks.idle(),
    timetable.stopped(),
  ]);
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, restMs).unref())]);
  mail?.transport.close();
}

/** What is finished but not recorded: how many, and the oldest's age. */
function sumPending(recorders: readonly Pick<BatchRecorder<never>, 'pending' | 'oldestPendingMs'>[]) {
  const ages = recorders.map((one) => one.oldestPendingMs()).filter((ms) => ms !== null);
  return {
    pending: recorders.reduce((sum, one) => sum + one.pending(), 0),
    oldestMs: ages.length === 0 ? null : Math.max(...ages),
  };
}

/** What sends deliveries and email; `mail` is null if this worker sends none. */
function assembleSending(
  options: EngineOptions,
  services: Services & { log: Logger },
  { moments, signal }: { moments: Moments; signal: AbortSignal },
) {
  const { workerId, serviceName, metrics, log } = options;
  const connections = createKeptConnections();
  const deliveries = createDeliveryEngine({
    workerId,
    services,
    moments,
    wake: createWake(),
    log,
    serviceName,
    sender: { policy: services.targetPolicy, connections },
    limits: DELIVERY_LIMITS,
    observer: metrics?.attempts,
    signal,
  });
  const mail =
    options.mail &&
    createMailEngine({
      workerId,
      services,
      serviceName,
      log,
      observer: metrics?.mails,
      ...options.mail,
    });
  return { connections, deliveries, mail };
}
