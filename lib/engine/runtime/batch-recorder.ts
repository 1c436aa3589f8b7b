import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { createWake } from '@/lib/core/wake';
import { isDatabaseUnavailable } from '@/lib/platform/db/wait-for-database';

/** The pace at which a batch is retried while the database is unavailable. */
const RETRY_MS = 1000;
/** A larger statement costs more memory than it saves round trips. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Records items in batches, one batch at a time, in the order in which they were added. */
export type BatchRecorder<Item> = {
  /** Hands over an item, which is kept until it is recorded. Resolves to whether it was: never rejects. */
  add(item: Item): Promise<boolean>;
  /** Resolves when nothing is pending. */
  flushed(): Promise<void>;
  /** From now on nothing is gathered, and what the database is unavailable for is given up instead of retried. */
  stop(): void;
  /** Items added and neither recorded nor given up. */
  pending(): number;
  /** For how many milliseconds the oldest of them has been pending; null: nothing is. */
  oldestPendingMs(): number | null;
};

export type BatchRecorderOptions<Item> = {
  /** What is recorded, as a field of every log line: `results`. */
  kind: string;
  /** Writes a batch, all or nothing. */
  write(items: Item[]): Promise<unknown>;
  /** What is recorded in place of an item that was refused; called once at most for each. */
  replaceRefused(item: Item): Item;
  /** What an item belongs to, as fields of a log line. */
  subjectOf(item: Item): Record<string, string>;
  /** About how many bytes an item takes. */
  sizeOf(item: Item): number;
  /** Items in one batch. */
  maxBatch: number;
  /** How long a batch that is not full waits for more items, in milliseconds. */
  gatherMs: number;
  /** What may be pending beside the batch being written. */
  maxPending: { count: number; bytes: number };
  log: Logger;
};

type Pending<Item> = {
  item: Item;
  bytes: number;
  since: number;
  isReplaced: boolean;
  done: (isRecorded: boolean) => void;
};

/**
 * A recorder that keeps what the database is unavailable for, and lets nothing that it refuses hold up the rest: a refused
 * batch is written in halves until the culprit stands alone. That one is recorded in a form that can be stored, or else
 * given up, and named in the log.
 *
 * Beyond `maxPending` the oldest items are given up: their claims end first, so that their work is done again, and what is
 * newest is what is true now.
 */
export function createBatchRecorder<Item>(options: BatchRecorderOptions<Item>): BatchRecorder<Item> {
  const { kind, write, replaceRefused, subjectOf, sizeOf, maxBatch, gatherMs, maxPending } = options;
  const log = options.log.child({ recording: kind });
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleep = (ms: number) => createWake().sleep(ms, { signal });
  let queue: Pending<Item>[] = [];
  let queueBytes = 0;
  const writing = new Set<Pending<Item>>();
  let working: Promise<void> | null = null;
  let overflow = 0;
  let failure: { message: string; since: number } | null = null;

  const work = async () => {
    while (queue.length > 0) {
      if (queue.length < maxBatch) await sleep(gatherMs);
      await recordBatch(takeBatch());
    }
    if (overflow > 0) log.warn({ givenUp: overflow }, 'the backlog is recorded');
    overflow = 0;
    working = null;
  };

  const takeBatch = () => {
    let bytes = 0;
    const end = queue.findIndex((pending, index) => {
      bytes += pending.bytes;
      return index > 0 && (index >= maxBatch || bytes > MAX_BATCH_BYTES);
    });
    const batch = end < 0 ? queue : queue.slice(0, end);
    queue = end < 0 ? [] : queue.slice(end);
    for (const pending of batch) {
      queueBytes -= pending.bytes;
      writing.add(pending);
    }
    return batch;
  };

  const recordBatch = async (batch: Pending<Item>[]) => {
    const parts = [batch];
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        await write(part.map(({ item }) => item));
        noteSuccess();
        for (const pending of part) finish(pending, true);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          noteFailure(error);
          if (signal.aborted)
            giveUp(part, 'given up, for the worker stops while the database is unavailable');
          else {
            parts.unshift(part);
            await sleep(RETRY_MS);
          }
        } else if (part.length > 1) parts.unshift(...halve(part));
        else parts.unshift(...part.flatMap((culprit) => replaceCulprit(culprit, error)));
      }
    }
  };

  /** The batch that records the culprit once more, in a form that can be stored; none after that. */
  const replaceCulprit = (culprit: Pending<Item>, error: unknown): Pending<Item>[][] => {
    const fields = { ...subjectOf(culprit.item), error: describeError(error) };
    if (culprit.isReplaced) {
      log.error(fields, 'refused without its content too, and given up');
      finish(culprit, false);
      return [];
    }
    log.error(fields, 'refused, and recorded without its content');
    culprit.item = replaceRefused(culprit.item);
    culprit.isReplaced = true;
    return [[culprit]];
  };

  const finish = (pending: Pending<Item>, isRecorded: boolean) => {
    writing.delete(pending);
    pending.done(isRecorded);
  };

  const giveUp = (given: Pending<Item>[], why: string) => {
    const [first] = given;
    if (first) log.error({ ...subjectOf(first.item), items: given.length }, why);
    for (const pending of given) finish(pending, false);
  };

  /** Said once while nothing changes: an outage is one event, not a line a second. */
  const noteFailure = (error: unknown) => {
    const message = describeError(error);
    if (message === failure?.message) return;
    failure = { message, since: failure?.since ?? performance.now() };
    log.error({ pending: queue.length + writing.size, error: message }, 'recording waits for the database');
  };

  const noteSuccess = () => {
    if (failure === null) return;
    const seconds = Math.round((performance.now() - failure.since) / 1000);
    failure = null;
    log.warn({ pending: queue.length + writing.size, seconds }, 'recording continues');
  };

  const dropOldest = () => {
    while (queue.length > 1 && (queue.length > maxPending.count || queueBytes > maxPending.bytes)) {
      const oldest = queue.shift();
      if (!oldest) return;
      queueBytes -= oldest.bytes;
      overflow += 1;
      if (overflow === 1) {
        const fields = { ...subjectOf(oldest.item), pending: queue.length, bytes: queueBytes };
        log.error(fields, 'too much is pending: the oldest are given up, this one first');
      }
      finish(oldest, false);
    }
  };

  return {
    add: (item) =>
      new Promise((done) => {
        const bytes = sizeOf(item);
        queue.push({ item, bytes, since: performance.now(), isReplaced: false, done });
        queueBytes += bytes;
        dropOldest();
        working ??= work();
      }),
    flushed: async () => {
      while (working) await working;
    },
    stop: () => stopping.abort(),
    pending: () => queue.length + writing.size,
    oldestPendingMs: () => {
      const [oldest = queue[0]] = writing;
      return oldest ? performance.now() - oldest.since : null;
    },
  };
}

function halve<Item>(items: Item[]): Item[][] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
