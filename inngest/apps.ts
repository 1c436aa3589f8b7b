import type { Inngest, InngestFunction } from 'inngest';
import type { Engine } from '@/lib/engine/create-engine';
import type { DrainFunction } from './drain-function';
import { type AppStarted, appStarted } from './events';
import { deliverWebhooks } from './functions/deliver-webhooks';
import { createMaintain } from './functions/maintain';
import { runScheduledChecks } from './functions/run-scheduled-checks';
import { sendMail } from './functions/send-mail';
import { createSweep } from './functions/sweep';
import { createVerifyDomains } from './functions/verify-domains';
import { watchDeadlines } from './functions/watch-deadlines';
import type { HasSuccessor, WatchedDrain } from './watched-drain';

/** Functions that are woken together: the work of one worker, or of one region. */
export type App = {
  id: string;
  /** Announces that a worker with this app has started. */
  started: AppStarted;
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

function createProbeApp(engine: Engine, region: string, events: number): App {
  const app = `probe-${region}`;
  return createApp(engine, app, { drains: [runScheduledChecks(engine, { app, region, events })] });
}

function createHomeApp(engine: Engine): App {
  const drains = [deliverWebhooks, watchDeadlines, sendMail].map((create) => create(engine, HOME_APP));
  return createApp(engine, HOME_APP, {
    drains: drains.filter((drain) => drain !== null),
    others: (client, started) => [
      createMaintain(client, engine.services, started),
      createVerifyDomains(client, engine),
    ],
  });
}

/** An app with its drains, the sweep that wakes them, and functions that need no waking. */
function createApp(
  { services: { clock } }: Engine,
  id: string,
  {
    drains,
    others = () => [],
  }: {
    drains: DrainFunction[];
    others?: (client: Inngest, started: AppStarted) => InngestFunction.Any[];
  },
): App {
  const started = appStarted(id);
  return {
    id,
    started,
    drains: drains.map(({ drain }) => drain),
    build: (client, hasSuccessor) => [
      createSweep(client, { clock, started, drains }),
      ...drains.map((drain) => drain.build(client, hasSuccessor)),
      ...others(client, started),
    ],
  };
}
