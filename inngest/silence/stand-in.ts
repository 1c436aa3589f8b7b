import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import type { App } from '../apps';
import { createEmbeddedDriver, type EmbeddedDriver } from '../embedded/driver';

/** A drain that it began may go on to the end of its minute. */
const LAST_DRAIN_MS = 80_000;

/** The embedded driver, for as long as a worker has to wake an app itself. */
export type StandIn = {
  /** Since when it wakes the app; null: it does not. */
  since(): Date | null;
  begin(): Promise<void>;
  /** Begins nothing more; what it has begun comes to its end by itself. */
  end(): void;
  stop(): Promise<void>;
};

/** A stand-in for Inngest that runs the very functions of an app in this process. */
export function createStandIn(app: App, { clock }: Pick<Services, 'clock'>, log: Logger): StandIn {
  let current: { driver: EmbeddedDriver; since: Date } | null = null;
  return {
    since: () => current?.since ?? null,
    begin: async () => {
      if (current) return;
      const driver = createEmbeddedDriver({ id: app.id, buildFunctions: app.build, clock, log });
      current = { driver, since: clock.now() };
      driver.start();
      await driver.client.send(app.started.create({}));
    },
    end: () => {
      void current?.driver.stop({ graceMs: LAST_DRAIN_MS });
      current = null;
    },
    stop: async () => current?.driver.stop({ graceMs: 1000 }),
  };
}
