import { cron, eventType, type Inngest, type InngestFunction } from 'inngest';
import { z } from 'zod';
import type { Clock } from '@/lib/core/time/clock';
import type { Services } from '@/lib/domain/context/services';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import type { Engine } from '@/lib/engine/create-engine';
import { mailDueDigests } from '@/lib/engine/mail/mail-digests';
import { mailDueReports } from '@/lib/engine/upkeep/mail-reports';
import { applyRetention, ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { getEnvironment } from '@/lib/env';
import { createWatchedDrain, type HasSuccessor, runUntilSucceeded, type WatchedDrain } from './watched-drain';

const until = z.iso.datetime();

/** A worker with this app has started: sweep now instead of at the next minute. */
export const appStarted = (app: string) => eventType(`pharos/${app}.started`, { schema: z.object({}) });

/** Run checks from now on, of the shards that have no owner. Per region, since its app receives no other events. */
const checkShardDue = (region: string) => eventType(`pharos/check.shard.${region}`, { schema: z.object({}) });

/** Run a drain until a moment. */
const drainDue = (name: string) => eventType(name, { schema: z.object({ until }) });
const deliveriesDue = drainDue('pharos/deliver.shard');
const mailDue = drainDue('pharos/mail.due');
const deadlinesDue = drainDue('pharos/deadlines.due');
const MINUTE = 60_000;
/** Drains outlast their minute, so a late next sweep leaves no gap; claims prevent duplicates. */
const OVERLAP = 10_000;

/** The events of an app's sweep; their ids make a repeated step harmless. */
type DueEvents = (until: string, idOf: (part: string) => { id: string }) => { name: string }[];

/** Functions that are woken together: the work of one worker, or of one region. */
export type App = {
  id: string;
  /** Announces that a worker with this app has started. */
  started: ReturnType<typeof appStarted>;
  /**
   * Builds the functions, which run on the embedded driver and on an Inngest server alike. With
   * `hasSuccessor`, a drain continues until another one takes over; the embedded driver, in this very
   * process, always starts the next one.
   */
  build(client: Inngest, hasSuccessor?: HasSuccessor): InngestFunction.Any[];
  drains: WatchedDrain[];
};

/** The app for work independent of regions: deliveries, email and upkeep. */
export const HOME_APP = 'pharos';

/** The apps of a worker: one per region it probes from and, unless it only probes, the home app. */
export function createApps(
  engine: Engine,
  { regions, shards, duties }: { regions: readonly string[]; shards: number; duties: 'all' | 'probe' },
): App[] {
  const probes = regions.map((region) => createProbeApp(engine, region, shards));
  return duties === 'all' ? [createHomeApp(engine), ...probes] : probes;
}

/** Each event of a sweep can reach another worker; those that run checks share them. */
function createProbeApp(engine: Engine, region: string, events: number): App {
  const { clock } = engine.services;
  const id = `probe-${region}`;
  const started = appStarted(id);
  const due = checkShardDue(region);
  const checks: WatchedDrain = {
    id: `${id}/check-shard`,
    run: async () => engine.startChecks(region),
    neglectedSince: async () => (engine.runsChecks(region) ? null : engine.dueAt.checks(region)),
  };
  return {
    id,
    started,
    drains: [checks],
    build: (client) => [
      createSweep(client, clock, started, (_, idOf) =>
        Array.from({ length: events }, (_, place) => due.create({}, idOf(`${region} ${place}`))),
      ),
      client.createFunction({ id: 'check-shard', retries: 0, triggers: [due] }, () =>
        engine.startChecks(region),
      ),
    ],
  };
}

function createHomeApp(engine: Engine): App {
  const { services, drainMail } = engine;
  const { clock } = services;
  const started = appStarted(HOME_APP);
  const deliveries = createWatchedDrain(
    `${HOME_APP}/deliver-shard`,
    engine.drainDeliveries,
    engine.dueAt.deliveries,
  );
  const deadlines = createWatchedDrain(
    `${HOME_APP}/watch-deadlines`,
    engine.drainDeadlines,
    engine.dueAt.deadlines,
  );
  const mail = drainMail && createWatchedDrain(`${HOME_APP}/send-mail`, drainMail, engine.dueAt.mail);
  return {
    id: HOME_APP,
    started,
    drains: [deliveries, deadlines, ...(mail ? [mail] : [])],
    build: (client, hasSuccessor) => [
      createSweep(client, clock, started, (until, idOf) => [
        deliveriesDue.create({ until }, idOf('deliveries')),
        deadlinesDue.create({ until }, idOf('deadlines')),
        ...(mail ? [mailDue.create({ until }, idOf('mail'))] : []),
      ]),
      createDrain(
        client,
        'deliver-shard',
        deliveriesDue,
        runUntilSucceeded(deliveries, { clock, hasSuccessor }),
      ),
      createDrain(
        client,
        'watch-deadlines',
        deadlinesDue,
        runUntilSucceeded(deadlines, { clock, hasSuccessor }),
      ),
      ...(mail
        ? [createDrain(client, 'send-mail', mailDue, runUntilSucceeded(mail, { clock, hasSuccessor }))]
        : []),
      createMaintain(client, services, started),
      createVerifyDomains(client, engine),
    ],
  };
}

/** Runs a drain when its event arrives. The schedule is in Postgres, so failed runs are not retried. */
function createDrain(
  client: Inngest,
  id: string,
  due: ReturnType<typeof drainDue>,
  drain: (until: Date) => Promise<void>,
) {
  return client.createFunction({ id, retries: 0, triggers: [due] }, ({ event }) =>
    drain(new Date(event.data.until)),
  );
}

/** Every minute: verifies due custom domains, one run at a time. `maintain` must not wait for name servers. */
export function createVerifyDomains(client: Inngest, engine: Pick<Engine, 'verifyDomains'>) {
  return client.createFunction(
    { id: 'verify-domains', retries: 0, singleton: { mode: 'skip' }, triggers: [cron('* * * * *')] },
    async () => {
      await engine.verifyDomains();
    },
  );
}

/** Every minute, and when a worker starts: sends one event per share of the work, never one per item. */
function createSweep(
  client: Inngest,
  clock: Clock,
  started: ReturnType<typeof appStarted>,
  dueEvents: DueEvents,
) {
  const options = { id: 'sweep', retries: 0 as const, triggers: [cron('* * * * *'), started] };
  return client.createFunction(options, async ({ step, runId }) => {
    const now = clock.now().getTime();
    const until = new Date(Math.floor(now / MINUTE) * MINUTE + MINUTE + OVERLAP).toISOString();
    const events = dueEvents(until, (part) => ({ id: `${runId} ${part}` }));
    await step.sendEvent('wake the drains', events);
  });
}

/**
 * Every minute: everything triggered by time alone. Rolls up each hour after it closed and applies retention.
 * A failing step does not block the others; the next run repeats it, and this run fails so that it is
 * noticed.
 */
export function createMaintain(client: Inngest, services: Services, started: ReturnType<typeof appStarted>) {
  const options = { id: 'maintain', retries: 0 as const, triggers: [cron('* * * * *'), started] };
  return client.createFunction(options, async ({ step }) => {
    const failures: unknown[] = [];
    const note = (error: unknown) => {
      failures.push(error);
      return 0;
    };
    await step.run('partitions', () => ensureResultPartitions(services.db, services.clock.now())).catch(note);
    await step.run('silent monitors', () => tickSilentMonitors(services)).catch(note);
    const hours = await step.run('roll up', () => rollUp(services)).catch(note);
    if (hours > 0) {
      const { RAW_RETENTION_DAYS: rawDays } = getEnvironment();
      await step.run('retention', () => applyRetention(services, { rawDays })).catch(note);
    }
    await step.run('reports', () => mailDueReports(services)).catch(note);
    await step.run('digests', () => mailDueDigests(services)).catch(note);
    if (failures.length > 0) throw failures[0];
  });
}
