import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { readWakes } from '@/lib/engine/runtime/slots';
import type { App } from '../apps';
import { createEmbeddedDriver, type EmbeddedDriver } from '../embedded';

/** What a worker knows of one of its apps. */
export type Watched = {
  /** Since when every drain of it has been woken by Inngest, on whichever worker; before that, when this worker started. */
  wokenAt: Date;
  /** Since when work of it waits that this worker is not doing; null: none does. */
  neglectedSince: Date | null;
  /** Since when this worker wakes it itself; null: it does not. */
  standsInSince: Date | null;
};

/** So late may work be before a worker does it unasked. */
export const PATIENCE_MS = 20_000;

/**
 * A sweep comes every minute; so long without one, Inngest is silent even where no work waits, or a drain goes on by
 * itself.
 */
const SILENCE_MS = 90_000;

/** A drain goes on for 70 s after the sweep that began it: work that is overdue so long after one was never begun. */
const NOT_WOKEN_MS = 85_000;

/** A drain that it began may go on to the end of its minute. */
const LAST_DRAIN_MS = 80_000;

/** The embedded driver, for as long as a worker has to wake an app itself. */
type StandIn = {
  /** Since when it wakes the app; null: it does not. */
  since(): Date | null;
  begin(): Promise<void>;
  /** Begins nothing more; what it has begun comes to its end by itself. */
  end(): void;
  stop(): Promise<void>;
};

const LOOK_MS = 2000;

type WatchOptions = {
  apps: App[];
  services: Services;
  log: Logger;
  /** Hears since when Inngest is silent about the first of the apps; null: about none. */
  tell: (since: Date | null) => void;
  /** Hears at every look of an app that Inngest has not woken since this worker started, or is silent about. */
  onUnwoken: (app: App, unwokenMs: number) => void;
  lookMs?: number;
};

/**
 * Looks every two seconds whether Inngest wakes the apps of this worker. Where it does not, and work is overdue, the
 * embedded driver stands in until Inngest wakes the app again, here or on another worker. Claims keep both apart.
 */
export function watchSilence(options: WatchOptions): { stop(): Promise<void> } {
  const { apps, services, log, tell, lookMs = LOOK_MS } = options;
  const startedAt = services.clock.now();
  const watched = apps.map((app) => ({ app, standIn: createStandIn(app, services, log) }));
  let timer: NodeJS.Timeout;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  const look = async (): Promise<void> => {
    const drains = apps.flatMap((app) => app.drains.map(({ id }) => id));
    const wakes = await readWakes(services, drains);
    const silences = await Promise.all(
      watched.map(({ app, standIn }) => lookAt(app, standIn, lastWake(app, wakes), startedAt, options)),
    );
    tell(silences.filter((since) => since !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null);
  };
  const lookAgain = () => {
    looking = look()
      .catch((error: unknown) => log.warn({ error: describeError(error) }, 'wakes could not be looked at'))
      .then(arm);
  };
  const arm = () => {
    if (!stopped) timer = setTimeout(lookAgain, lookMs);
  };
  arm();

  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(watched.map(({ standIn }) => standIn.stop()));
    },
  };
}

/** Decides for one app, and does it; answers since when Inngest is silent about it. */
async function lookAt(
  app: App,
  standIn: StandIn,
  woken: Date | null,
  startedAt: Date,
  { services: { clock }, log, onUnwoken }: WatchOptions,
): Promise<Date | null> {
  const isWoken = woken !== null && woken >= startedAt;
  const see = async (): Promise<Watched> => ({
    wokenAt: isWoken ? woken : startedAt,
    neglectedSince: await firstNeglected(app),
    standsInSince: standIn.since(),
  });
  const before = await see();
  const verdict = judgeSilence(before, clock.now());
  if (verdict === 'stand in') {
    log.warn({ app: app.id, wokenAt: before.wokenAt }, 'Inngest does not wake this app; it wakes itself');
    await standIn.begin();
  }
  if (verdict === 'step back') {
    log.info({ app: app.id }, 'Inngest wakes this app again');
    standIn.end();
  }
  const now = clock.now();
  const after = { ...before, standsInSince: standIn.since() };
  if (!isWoken || after.standsInSince !== null) {
    onUnwoken(app, now.getTime() - after.wokenAt.getTime());
  }
  return silentSince(after, now);
}

/** When the drain of an app was woken that has been left alone for longest; null: one never was. */
function lastWake({ drains }: App, wakes: Map<string, Date>): Date | null {
  const times = drains.map(({ id }) => wakes.get(id)?.getTime() ?? Number.NEGATIVE_INFINITY);
  const oldest = Math.min(...times);
  return Number.isFinite(oldest) ? new Date(oldest) : null;
}

async function firstNeglected({ drains }: App): Promise<Date | null> {
  const moments = await Promise.all(drains.map((drain) => drain.neglectedSince()));
  const times = moments.flatMap((moment) => (moment === null ? [] : [moment.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** A stand-in for Inngest that runs the very functions of an app in this process. */
function createStandIn(app: App, { clock }: Pick<Services, 'clock'>, log: Logger): StandIn {
  let current: { driver: EmbeddedDriver; since: Date } | null = null;
  return {
    since: () => current?.since ?? null,
    begin: async () => {
      if (current) return;
      const driver = createEmbeddedDriver({ id: app.id, buildFunctions: app.build, clock, log });
      current = { driver, since: clock.now() };
      await driver.client.send(app.started.create({}));
    },
    end: () => {
      void current?.driver.stop({ graceMs: LAST_DRAIN_MS });
      current = null;
    },
    stop: async () => current?.driver.stop({ graceMs: 1000 }),
  };
}

/** Whether a worker has to wake an app itself, may leave it to Inngest again, or goes on as it is. */
export function judgeSilence(
  { wokenAt, neglectedSince, standsInSince }: Watched,
  now: Date,
): 'stand in' | 'step back' | 'go on' {
  if (standsInSince !== null) return wokenAt > standsInSince ? 'step back' : 'go on';
  const isOverdue = neglectedSince !== null && elapsed(neglectedSince, now) > PATIENCE_MS;
  return isOverdue || elapsed(wokenAt, now) > SILENCE_MS ? 'stand in' : 'go on';
}

/**
 * Since when Inngest is silent about an app, as people are told; null: it is not. A worker that stands in for one that died
 * a moment ago is no reason to blame Inngest.
 */
export function silentSince({ wokenAt, standsInSince }: Watched, now: Date): Date | null {
  return standsInSince !== null && elapsed(wokenAt, now) > NOT_WOKEN_MS ? wokenAt : null;
}

function elapsed(from: Date, to: Date): number {
  return to.getTime() - from.getTime();
}
