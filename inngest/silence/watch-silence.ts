import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { readWakes } from '@/lib/engine/runtime/wakes';
import type { App } from '../apps';
import { judgeSilence, silentSince, type Watched } from './judge-silence';
import { createStandIn, type StandIn } from './stand-in';

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
