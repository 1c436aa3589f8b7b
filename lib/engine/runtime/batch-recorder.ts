import { randomUUID } from 'node:crypto';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { createWake } from '@/lib/core/time/wake';
import { isDatabaseUnavailable } from '@/lib/platform/db/unavailable';

/** How often a batch is retried while the database is unavailable. */
const RETRY_MS = 1000;
/** The same while the worker stops. */
const LAST_RETRY_MS = 100;
/** A larger statement costs more memory than it saves in round trips. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Records items in batches, one batch at a time, in insertion order. */
export type BatchRecorder<Item> = ReturnType<typeof createBatchRecorder<Item>>;

/** What a recorder calls as it works; must not throw. */
export type RecordingObserver<Item> = {
  added(item: Item): void;
  /** A batch of a kind was written. */
  written(kind: string, items: number): void;
};

type BatchRecorderOptions<Item> = {
  /** What is recorded, a field of every log line: `results`. */
  kind: string;
  /** Writes a batch, all or nothing; `id` is the same when it is written again because no response came. */
  write(items: Item[], id: string): Promise<unknown>;
  /** Whether an error of `write` says nothing about the items: the batch is written again. By default, whether the database is unavailable. */
  isUnavailable?(error: unknown): boolean;
  /** Replaces a rejected item; called at most once per item. */
  replaceRefused(item: Item): Item;
  /** Log fields that identify an item. */
  subjectOf(item: Item): Record<string, string>;
  /** Approximate size of an item in bytes. */
  sizeOf(item: Item): number;
  /** Maximum items per batch. */
  maxBatch: number;
  /** How long a partial batch waits for more items, in milliseconds. */
  gatherMs: number;
  /** Limits for pending items, excluding the batch being written. */
  maxPending: { count: number; bytes: number };
  observer?: RecordingObserver<Item> | undefined;
  log: Logger;
};

type Pending<Item> = {
  item: Item;
  bytes: number;
  since: number;
  isReplaced: boolean;
  isWriting: boolean;
  done: (isRecorded: boolean) => void;
};

/**
 * A recorder that keeps items while the database is unavailable, and never lets a rejected item block the
 * rest: a rejected batch is bisected until the culprit is isolated. The culprit is recorded in a storable
 * form or else given up, and logged.
 *
 * Beyond `maxPending` the oldest items are given up: their claims expire first, so their work is repeated,
 * and the newest items reflect the current truth.
 */
export function createBatchRecorder<Item>(options: BatchRecorderOptions<Item>) {
  const { kind, write, replaceRefused, subjectOf, sizeOf, maxBatch, gatherMs, maxPending, observer } =
    options;
  const { isUnavailable = isDatabaseUnavailable } = options;
  const log = options.log.child({ recording: kind });
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleep = (ms: number) => createWake().sleep(ms, { signal });
  /** Until when a stopping worker waits for the database, by the clock of `performance`. */
  let giveUpAt = Number.POSITIVE_INFINITY;
  let queue: Pending<Item>[] = [];
  let queueBytes = 0;
  let batch: Pending<Item>[] = [];
  let working: Promise<void> | null = null;
  let overflow = 0;
  let failure: { message: string; since: number } | null = null;

  const countPending = () => queue.length + batch.filter(({ isWriting }) => isWriting).length;

  const work = async () => {
    while (queue.length > 0) {
      if (queue.length < maxBatch) await sleep(gatherMs);
      batch = takeBatch();
      await recordBatch(batch);
      batch = [];
    }
    if (overflow > 0) log.warn({ givenUp: overflow }, 'recorded the backlog');
    overflow = 0;
    working = null;
  };

  const takeBatch = () => {
    let bytes = 0;
    const end = queue.findIndex((pending, index) => {
      bytes += pending.bytes;
      return index > 0 && (index >= maxBatch || bytes > MAX_BATCH_BYTES);
    });
    const taken = end < 0 ? queue : queue.slice(0, end);
    queue = end < 0 ? [] : queue.slice(end);
    for (const pending of taken) {
      queueBytes -= pending.bytes;
      pending.isWriting = true;
    }
    return taken;
  };

  const recordBatch = async (all: Pending<Item>[]) => {
    const parts = [all];
    let id = randomUUID();
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        await write(
          part.map(({ item }) => item),
          id,
        );
        noteSuccess();
        observer?.written(kind, part.length);
        id = randomUUID();
        for (const pending of part) finish(pending, true);
      } catch (error) {
        if (isUnavailable(error)) {
          noteFailure(error);
          if (performance.now() >= giveUpAt)
            giveUp(part, 'given up: the worker is stopping while the database is unavailable');
          else {
            parts.unshift(part);
            await (signal.aborted ? createWake().sleep(LAST_RETRY_MS) : sleep(RETRY_MS));
          }
        } else {
          id = randomUUID();
          if (part.length > 1) parts.unshift(...halve(part));
          else parts.unshift(...part.flatMap((culprit) => replaceCulprit(culprit, error)));
        }
      }
    }
  };

  /** Returns a batch that records the culprit once more, in a storable form, or none after that. */
  const replaceCulprit = (culprit: Pending<Item>, error: unknown): Pending<Item>[][] => {
    const fields = { ...subjectOf(culprit.item), error: describeError(error) };
    if (culprit.isReplaced) {
      log.error(fields, 'given up: rejected even without its content');
      finish(culprit, false);
      return [];
    }
    log.error(fields, 'rejected; recording it without its content');
    culprit.item = replaceRefused(culprit.item);
    culprit.isReplaced = true;
    return [[culprit]];
  };

  const finish = (pending: Pending<Item>, isRecorded: boolean) => {
    pending.isWriting = false;
    pending.done(isRecorded);
  };

  const giveUp = (items: Pending<Item>[], why: string) => {
    const [first] = items;
    if (first) log.error({ ...subjectOf(first.item), items: items.length }, why);
    for (const pending of items) finish(pending, false);
  };

  /** Logged once per outage, not once a second. */
  const noteFailure = (error: unknown) => {
    const message = describeError(error);
    if (message === failure?.message) return;
    failure = { message, since: failure?.since ?? performance.now() };
    log.error({ pending: countPending(), error: message }, 'cannot record: waiting for the database');
  };

  const noteSuccess = () => {
    if (failure === null) return;
    const seconds = Math.round((performance.now() - failure.since) / 1000);
    failure = null;
    log.warn({ pending: countPending(), seconds }, 'recording resumed');
  };

  const dropOldest = () => {
    while (queue.length > 1 && (queue.length > maxPending.count || queueBytes > maxPending.bytes)) {
      const oldest = queue.shift();
      if (!oldest) return;
      queueBytes -= oldest.bytes;
      overflow += 1;
      if (overflow === 1) {
        const fields = { ...subjectOf(oldest.item), pending: queue.length, bytes: queueBytes };
        log.error(fields, 'too much is pending; giving up the oldest, starting with this one');
      }
      finish(oldest, false);
    }
  };

  return {
    /** Adds an item, which is kept until it is recorded. Resolves to whether it was recorded; never rejects. */
    add: (item: Item): Promise<boolean> =>
      new Promise((done) => {
        observer?.added(item);
        const bytes = sizeOf(item);
        queue.push({ item, bytes, since: performance.now(), isReplaced: false, isWriting: false, done });
        queueBytes += bytes;
        dropOldest();
        working ??= work();
      }),
    /** Resolves when nothing is pending. */
    flushed: async (): Promise<void> => {
      while (working) await working;
    },
    /** Stops gathering, and waits only this long for a database that is unavailable before it gives items up; in milliseconds. */
    stop: (patienceMs = 0): void => {
      giveUpAt = performance.now() + patienceMs;
      stopping.abort();
    },
    /** Items neither recorded nor given up. */
    pending: countPending,
    /** How many milliseconds the oldest of them has been pending; null: none. */
    oldestPendingMs: (): number | null => {
      const oldest = batch.find(({ isWriting }) => isWriting) ?? queue[0];
      return oldest ? performance.now() - oldest.since : null;
    },
  };
}

function halve<Item>(items: Item[]): Item[][] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
