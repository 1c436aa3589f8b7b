import type { Inngest, InngestFunction } from 'inngest';
import type { Share } from '@/lib/engine/checks/claim-checks';
import type { Engine } from '@/lib/engine/create-engine';
import { createDutyDrain, type DutyDrain, type Relief, runUntilRelieved } from './duty-drain';
import { appStarted, checkShardDue, deliveriesDue, mailDue } from './events';
import { createCheckShard } from './functions/check-shard';
import { createDeliverShard } from './functions/deliver-shard';
import { createMaintain } from './functions/maintain';
import { createSendMail } from './functions/send-mail';
import { createSweep } from './functions/sweep';
import { createVerifyDomains } from './functions/verify-domains';

/** Functions that are woken together and know no other app: what one worker, or one region, does. */
export type App = {
  id: string;
  /** Says that a worker with this app is up. */
  started: ReturnType<typeof appStarted>;
  /**
   * The functions; the embedded driver and an Inngest server run the same ones. With `relief` a drain goes on until it is
   * relieved: the embedded driver, in this very process, always comes back.
   */
  build(client: Inngest, relief?: Relief): InngestFunction.Any[];
  /** The drains of this process behind them. */
  drains: DutyDrain[];
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
  const checks = createDutyDrain(
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
      createCheckShard(client, region, runUntilRelieved(checks, { clock, relief })),
    ],
  };
}

function createHomeApp(engine: Engine): App {
  const { services, drainMail } = engine;
  const { clock } = services;
  const started = appStarted(HOME_APP);
  const deliveries = createDutyDrain(
    `${HOME_APP}/deliver-shard`,
    engine.drainDeliveries,
    engine.dueAt.deliveries,
  );
  const mail = drainMail && createDutyDrain(`${HOME_APP}/send-mail`, drainMail, engine.dueAt.mail);
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
      createDeliverShard(client, runUntilRelieved(deliveries, { clock, relief })),
      ...(mail ? [createSendMail(client, runUntilRelieved(mail, { clock, relief }))] : []),
      createMaintain(client, services, started),
      createVerifyDomains(client, engine),
    ],
  };
}
