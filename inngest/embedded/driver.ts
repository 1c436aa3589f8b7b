import type { Inngest, InngestFunction } from 'inngest';
import { type Clock, systemClock } from '@/lib/core/clock';
import { createCaller } from './call';
import { createEmbeddedClient } from './client';
import type { DriverLog } from './driver-log';
import { createTimerEvent, type SentEvent } from './event';
import { planFunctions } from './function-plan';
import { startMinuteTicker } from './minute-ticker';
import { createRecentIds } from './recent-ids';
import { createRunPool, type DriverCounters } from './run-pool';
import { systemTimers, type Timers } from './timers';

/**
 * Runs Inngest functions inside this process, from memory. It holds no promise: what it knew is gone with it.
 */
export type EmbeddedDriver = {
  /** The client that the functions belong to; what it sends starts runs here. */
  client: Inngest;
  /** Live numbers, for health and tests. */
  counters: Readonly<DriverCounters>;
  /** Begins to run: events sent before are taken up now, cron triggers fire from the next minute on. */
  start(): void;
  /**
   * Lets no new run begin, forgets those that sleep or wait, and resolves when the running ones are over, at
   * the latest after `graceMs`. Events sent from then on are dropped.
   */
  stop(options: { graceMs: number }): Promise<void>;
};

const EVENT_ID_MEMORY_MS = 24 * 60 * 60 * 1000;
const EVENT_IDS_AT_MOST = 100_000;

/**
 * Makes a driver and its client. `clock` decides when cron triggers fire and sleeps end.
 * @throws StartupError naming each trigger and option that cannot be honoured here
 */
export function createEmbeddedDriver(options: {
  id: string;
  buildFunctions: (client: Inngest) => InngestFunction.Any[];
  log: DriverLog;
  clock?: Clock;
  timers?: Timers;
}): EmbeddedDriver {
  const { id, buildFunctions, log, clock = systemClock, timers = systemTimers } = options;
  const client = createEmbeddedClient({ id, clock, log, onEvents: receive });
  const functions = buildFunctions(client);
  const plans = planFunctions(functions, id);
  const pool = createRunPool({ clock, timers, log, call: createCaller({ client, functions, clock }) });
  const recentIds = createRecentIds({ clock, forMs: EVENT_ID_MEMORY_MS, atMost: EVENT_IDS_AT_MOST });
  const early: SentEvent[] = [];
  let stopTicker: (() => void) | null = null;
  let stopping: Promise<void> | null = null;

  function receive(events: SentEvent[]): void {
    if (stopping !== null) return;
    if (stopTicker === null) early.push(...events);
    else for (const sent of events) fanOut(sent);
  }

  function fanOut({ event, hasOwnId }: SentEvent): void {
    for (const plan of plans) {
      if (!plan.eventNames.includes(event.name)) continue;
      if (hasOwnId && recentIds.hasSeen(`${plan.id} ${event.id}`)) continue;
      pool.launch(plan, event);
    }
  }

  /** Fires a trigger once, even when several of its minutes have passed unseen. */
  function fireCrons(minutes: Date[]): void {
    for (const plan of plans) {
      for (const cron of plan.crons) {
        const due = minutes.findLast((minute) => cron.matches(minute));
        if (due) pool.launch(plan, createTimerEvent(cron.expression, due));
      }
    }
  }

  return {
    client,
    counters: pool.counters,
    start() {
      if (stopTicker !== null || stopping !== null) return;
      stopTicker = startMinuteTicker({ clock, timers, onMinutes: fireCrons });
      for (const sent of early.splice(0)) fanOut(sent);
    },
    stop({ graceMs }) {
      stopTicker?.();
      stopping ??= pool.close(graceMs);
      return stopping;
    },
  };
}
