import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { type Clock, earliest } from '@/lib/core/time/clock';
import { watchFreezes } from '@/lib/core/time/freezes';
import { poll } from '@/lib/core/time/poll';
import type { Services } from '@/lib/domain/context/services';
import { readWakes } from '@/lib/engine/runtime/slots';
import type { App } from '../apps';
import { createEmbeddedDriver, type EmbeddedDriver } from '../embedded';

export type WatchedApp = {
  /** Since when Inngest has woken every drain of the app, on any worker; initially the start of this one. */
  wokenAt: Date;
  /** Since when the app has work that this worker is not doing; null: none. */
  neglectedSince: Date | null;
  /** Since when this worker wakes the app itself; null: it does not. */
  fallbackSince: Date | null;
};

/** How late work may be before a worker does it unprompted. */
export const PATIENCE_MS = 20_000;
/** Without a sweep for this long, Inngest is silent, even if no work is waiting. */
const SILENCE_MS = 90_000;
/** A drain runs for 70 s after its sweep: work still overdue this long after one was never started. */
const NOT_WOKEN_MS = 85_000;
/** A drain started by the fallback may run until the end of its minute. */
const LAST_DRAIN_MS = 80_000;
const LOOK_MS = 2000;

type WatchOptions = {
  apps: App[];
  services: Services;
  log: Logger;
  /** Called with the time since which Inngest has been silent about any of the apps; null: none. */
  onSilence: (since: Date | null) => void;
  /** Called at every poll for apps that Inngest has not woken since the start, or is silent about. */
  onUnwoken: (app: App, unwokenMs: number) => void;
  lookMs?: number;
  /** The clock of the machine, which also advances while this process does not run. */
  wall?: Clock;
};

/**
 * Polls every two seconds whether Inngest wakes the apps of this worker. If it does not and work is overdue,
 * the embedded driver takes over until Inngest wakes the app again, here or on another worker. Leases and claims
 * prevent duplicates.
 */
export function watchSilence(options: WatchOptions): { stop(): Promise<void> } {
  const { apps, services, log, onSilence, lookMs = LOOK_MS } = options;
  const begunAt = services.clock.now();
  const freezes = watchFreezes(services.clock, options.wall);
  const watched = apps.map((app) => ({ app, fallback: createFallback(app, services, log) }));
  const check = async (): Promise<void> => {
    const drains = apps.flatMap((app) => app.drains.map(({ id }) => id));
    const wakes = await readWakes(services, drains);
    // Nobody can have woken it while it did not run.
    const thawedAt = freezes.thawedAt();
    const silences = await Promise.all(
      watched.map(({ app, fallback }) =>
        checkApp(app, fallback, lastWake(app, wakes), { ...options, begunAt, thawedAt }),
      ),
    );
    onSilence(earliest(silences));
  };
  const onError = (error: unknown) => log.warn({ error: describeError(error) }, 'could not read wakes');
  const polling = poll(check, { everyMs: lookMs, onError });
  return {
    stop: async () => {
      freezes.stop();
      await polling.stop();
      await Promise.all(watched.map(({ fallback }) => fallback.stop()));
    },
  };
}

/** Decides for one app and acts; returns since when Inngest has been silent about it. */
async function checkApp(
  app: App,
  fallback: Fallback,
  woken: Date | null,
  {
    services: { clock },
    log,
    onUnwoken,
    begunAt,
    thawedAt,
  }: WatchOptions & { begunAt: Date; thawedAt: Date | null },
): Promise<Date | null> {
  const startedAt = thawedAt ?? begunAt;
  const isWoken = woken !== null && woken >= startedAt;
  const see = async (): Promise<WatchedApp> => ({
    wokenAt: isWoken ? woken : startedAt,
    neglectedSince: notBefore(
      thawedAt,
      earliest(await Promise.all(app.drains.map((drain) => drain.neglectedSince()))),
    ),
    fallbackSince: fallback.since(),
  });
  const before = await see();
  const verdict = judgeSilence(before, clock.now());
  if (verdict === 'take over') {
    log.warn(
      { app: app.id, wokenAt: before.wokenAt },
      'Inngest does not wake this app; the worker wakes it itself',
    );
    await fallback.begin();
  }
  if (verdict === 'hand back') {
    log.info({ app: app.id }, 'Inngest wakes this app again');
    fallback.end();
  }
  const now = clock.now();
  const after = { ...before, fallbackSince: fallback.since() };
  if (!isWoken || after.fallbackSince !== null) onUnwoken(app, now.getTime() - after.wokenAt.getTime());
  return silentSince(after, now);
}

/** When the least recently woken drain of an app was woken; null: one never was. */
function lastWake({ drains }: App, wakes: Map<string, Date>): Date | null {
  return drains.every(({ id }) => wakes.has(id))
    ? earliest(drains.map(({ id }) => wakes.get(id) ?? null))
    : null;
}

type Fallback = ReturnType<typeof createFallback>;

/** Creates a fallback for Inngest that runs the same functions of an app in this process. */
function createFallback(app: App, { clock }: Pick<Services, 'clock'>, log: Logger) {
  let current: { driver: EmbeddedDriver; since: Date } | null = null;
  return {
    /** Since when it wakes the app; null: it does not. */
    since: (): Date | null => current?.since ?? null,
    begin: async (): Promise<void> => {
      if (current) return;
      const driver = createEmbeddedDriver({ id: app.id, buildFunctions: app.build, clock, log });
      current = { driver, since: clock.now() };
      await driver.client.send(app.started.create({}));
    },
    /** Starts nothing new; running drains end on their own. */
    end: (): void => {
      void current?.driver.stop({ graceMs: LAST_DRAIN_MS });
      current = null;
    },
    stop: async () => current?.driver.stop({ graceMs: 1000 }),
  };
}

/** Whether a worker has to wake an app itself, may hand that back to Inngest, or neither. */
export function judgeSilence(
  { wokenAt, neglectedSince, fallbackSince }: WatchedApp,
  now: Date,
): 'take over' | 'hand back' | 'keep' {
  if (fallbackSince !== null) return wokenAt > fallbackSince ? 'hand back' : 'keep';
  const isOverdue = neglectedSince !== null && elapsed(neglectedSince, now) > PATIENCE_MS;
  return isOverdue || elapsed(wokenAt, now) > SILENCE_MS ? 'take over' : 'keep';
}

/**
 * Since when Inngest has been silent about an app, as reported to people; null: it is not. Taking over for a
 * worker that crashed a moment ago is not a reason to blame Inngest.
 */
export function silentSince({ wokenAt, fallbackSince }: WatchedApp, now: Date): Date | null {
  return fallbackSince !== null && elapsed(wokenAt, now) > NOT_WOKEN_MS ? wokenAt : null;
}

function notBefore(first: Date | null, at: Date | null): Date | null {
  return first !== null && at !== null && at < first ? first : at;
}

function elapsed(from: Date, to: Date): number {
  return to.getTime() - from.getTime();
}
