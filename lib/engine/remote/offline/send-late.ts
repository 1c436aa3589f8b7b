import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@/lib/core/logger';
import type { SyncedClock } from '@/lib/core/time/synced-clock';
import { type Exchange, ExchangeError } from '@/lib/engine/remote/exchange';
import { MAX_RESULTS } from '@/lib/engine/remote/protocol';
import { RECORDED_WITHIN_MS } from '@/lib/state/schedule-grid';
import type { LateRecord } from './late-record';
import type { Spool } from './spool';

/** Between two batches: what is measured now goes first. */
const PAUSE_MS = 1000;
/** Until those that have to wait are sent again. */
const WAIT_MS = 10_000;

export type LateSender = {
  spool: Pick<Spool, 'add' | 'read' | 'settle' | 'size' | 'takeLost' | 'addLost'>;
  exchange: Pick<Exchange, 'request'>;
  clock: Pick<SyncedClock, 'now' | 'measure' | 'correct'>;
  /** This process: the times of others are sent as they are. */
  process: string;
  /** Whether to leave the service to what is measured now, or it cannot be reached. */
  isBusy(): boolean;
  log: Logger;
};

/** Sends late results until the signal, oldest first, while nothing else is to be done. */
export async function followLate(sender: LateSender, signal: AbortSignal): Promise<void> {
  const step = createLateStep(sender);
  while (!signal.aborted) {
    const pauseMs = await step();
    await delay(pauseMs, undefined, { signal }).catch(() => 'the probe is stopping');
  }
}

/** Sends one batch at each call. Never rejects; resolves to how long to wait before the next, in milliseconds. */
export function createLateStep(sender: LateSender): () => Promise<number> {
  const { spool, exchange, clock, isBusy, log } = sender;
  let limit = MAX_RESULTS;
  let isMeasured = false;
  return async () => {
    if (spool.size() === 0 || isBusy()) {
      isMeasured = false;
      return PAUSE_MS;
    }
    try {
      // The drift of the time offline is known only after it.
      if (!isMeasured) await clock.measure();
      isMeasured = true;
      const records = await spool.read(limit);
      const results = records.map((record) => correctTime(record, sender));
      const [oldest] = results;
      if (oldest === undefined) return PAUSE_MS;
      if (clock.now().getTime() < oldest.startedAt + RECORDED_WITHIN_MS) return WAIT_MS;
      const lost = spool.takeLost();
      const { waiting, count } = await exchange
        .request('recordLate', { results, lost })
        .catch((error: unknown) => {
          spool.addLost(lost);
          throw error;
        });
      limit = MAX_RESULTS;
      // First they are kept once more: twice does no harm.
      if (waiting.length > 0) await spool.add(waiting.flatMap((place) => records[place] ?? []));
      await spool.settle();
      log.info(
        { sent: results.length - waiting.length, counted: count, pending: spool.size() },
        'sent late results',
      );
      return waiting.length === results.length ? WAIT_MS : PAUSE_MS;
    } catch (error) {
      if (!(error instanceof ExchangeError) || error.refused !== 'request') return PAUSE_MS;
      if (limit === 1) {
        log.error({ error: error.message }, 'the service refuses a late result; gave it up');
        spool.addLost(1);
        await spool.settle();
      }
      // One that is refused does not hold up the others.
      limit = Math.ceil(limit / 2);
      return PAUSE_MS;
    }
  };
}

function correctTime({ result, process, offsetMs }: LateRecord, sender: LateSender): LateRecord['result'] {
  if (process !== sender.process) return result;
  return { ...result, startedAt: sender.clock.correct(result.startedAt, offsetMs) };
}
