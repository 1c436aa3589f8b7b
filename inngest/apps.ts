import { cron, eventType, type Inngest, type InngestFunction } from 'inngest';
import { z } from 'zod';
import type { Clock } from '@/lib/core/clock';
import type { Services } from '@/lib/domain/context/services';
import type { Share } from '@/lib/engine/checks/claim-checks';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import type { Engine } from '@/lib/engine/create-engine';
import { applyRetention, ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { getEnvironment } from '@/lib/env';
import { createWatchedDrain, type HasSuccessor, runUntilSucceeded, type WatchedDrain } from './watched-drain';

const until = z.iso.datetime();

/** A worker with this app is up: sweep now instead of at the next minute. */
export const appStarted = (app: string) => eventType(`pharos/${app}.started`, { schema: z.object({}) });

/** Check what is due in one shard of a region, until a moment. Each region's has a name of its own: its app hears no other. */
const checkShardDue = (region: string) =>
  eventType(`pharos/check.shard.${region}`, {
    schema: z.object({ shard: z.int(), shards: z.int(), until }),
  });

/** Deliver what is due, until a moment. */
const deliveriesDue = eventType('pharos/deliver.shard', { schema: z.object({ until }) });

/** Send the e-mail that is due, until a moment. */
const mailDue = eventType('pharos/mail.due', { schema: z.object({ until }) });

const MINUTE = 60_000;

/** Drains outlive their minute, so that none is missing where the next sweep comes late; claims keep them apart. */
const OVERLAP = 10_000;

/** What an app's sweep sends; the ids make a repeated step send nothing new. */
type DueEvents = (until: string, idOf: (part: string) => { id: string }) => { name: string }[];

/** Functions that are woken together and know no other app: what one worker, or one region, does. */
export type App = {
  id: string;
  /** Says that a worker with this app is up. */
  started: ReturnType<typeof appStarted>;
  /**
   * The functions; the embedded driver and an Inngest server run the same ones. With `relief` a drain goes on until it is
   * relieved: the embedded driver, in this very process, always comes back.
   */
  build(client: Inngest, relief?: HasSuccessor): InngestFunction.Any[];
  /** The drains of this process behind them. */
  drains: WatchedDrain[];
};

/** The app of what no region has to do with: deliveries, e-mail and upkeep. */
export const HOME_APP = 'pharos';

/** The apps of a worker: one for each region that it probes from and, unless it only probes, the home app. */
export function createApps({
  engine,
  regions,
  shards,
  duties,
}: {
  engine: Engine;
  regions: readonly string[];
  shards: number;
  duties: 'all' | 'probe';
}): App[] {
  const probes = regions.map((region) => createProbeApp(engine, region, shards));
  return duties === 'all' ? [createHomeApp(engine), ...probes] : probes;
}

function createProbeApp(engine: Engine, region: string, shards: number): App {
  const { clock } = engine.services;
  const id = `probe-${region}`;
  const started = appStarted(id);
  const checks = createWatchedDrain(
    `${id}/check-shard`,
    (until, share: Share) => engine.drainChecks(share, until),
    () => engine.dueAt.checks(region),
    { region, shard: 0, shards: 1 },
  );
  const due = checkShardDue(region);
  return {
    id,
    started,
    drains: [checks],
    build: (client, relief) => [
      createSweep(client, {
        clock,
        started,
        dueEvents: (until, idOf) =>
          Array.from({ length: shards }, (_, shard) =>
            due.create({ shard, shards, until }, idOf(`${region} ${shard}`)),
          ),
      }),
      createCheckShard(client, region, runUntilSucceeded(checks, { clock, relief })),
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
  const mail = drainMail && createWatchedDrain(`${HOME_APP}/send-mail`, drainMail, engine.dueAt.mail);
  return {
    id: HOME_APP,
    started,
    drains: mail ? [deliveries, mail] : [deliveries],
    build: (client, relief) => [
      createSweep(client, {
        clock,
        started,
        dueEvents: (until, idOf) => [
          deliveriesDue.create({ until }, idOf('deliveries')),
          ...(mail ? [mailDue.create({ until }, idOf('mail'))] : []),
        ],
      }),
      createDeliverShard(client, runUntilSucceeded(deliveries, { clock, relief })),
      ...(mail ? [createSendMail(client, runUntilSucceeded(mail, { clock, relief }))] : []),
      createMaintain(client, services, started),
      createVerifyDomains(client, engine),
    ],
  };
}

/** Sends the e-mail that is due. Postgres holds the retry schedule, so a failed run is not tried again. */
function createSendMail(client: Inngest, drain: (until: Date) => Promise<void>) {
  return client.createFunction({ id: 'send-mail', retries: 0, triggers: [mailDue] }, async ({ event }) => {
    await drain(new Date(event.data.until));
  });
}

/** Sends the deliveries that are due. Postgres holds the retry schedule, so a failed run is not tried again. */
function createDeliverShard(client: Inngest, drain: (until: Date) => Promise<void>) {
  return client.createFunction(
    { id: 'deliver-shard', retries: 0, triggers: [deliveriesDue] },
    async ({ event }) => {
      await drain(new Date(event.data.until));
    },
  );
}

/**
 * Every minute: looks for the records of the custom domains that are due. Apart from `maintain`, which must not wait for
 * name servers; a run that takes longer than its minute is not joined by another one.
 */
export function createVerifyDomains(client: Inngest, engine: Pick<Engine, 'verifyDomains'>) {
  return client.createFunction(
    { id: 'verify-domains', retries: 0, singleton: { mode: 'skip' }, triggers: [cron('* * * * *')] },
    async () => {
      await engine.verifyDomains();
    },
  );
}

/** Checks what is due in one shard of one region. Postgres holds the schedule, so a failed run is not tried again. */
function createCheckShard(
  client: Inngest,
  region: string,
  drain: (until: Date, share: Share) => Promise<void>,
) {
  return client.createFunction(
    { id: 'check-shard', retries: 0, triggers: [checkShardDue(region)] },
    async ({ event }) => {
      const { until, ...shard } = event.data;
      await drain(new Date(until), { region, ...shard });
    },
  );
}

/** Every minute, and as a worker starts: one event per share of the work, never one per check, delivery or mail. */
function createSweep(
  client: Inngest,
  {
    clock,
    started,
    dueEvents,
  }: { clock: Clock; started: ReturnType<typeof appStarted>; dueEvents: DueEvents },
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
 * Every minute: what time alone brings about. Once an hour has closed it is rolled up, and what is too old goes. A part that
 * fails holds up no other; it is done by the next run, and fails this one so that it is known.
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
    if (failures.length > 0) throw failures[0];
  });
}
