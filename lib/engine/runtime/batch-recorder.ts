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
export type BatchRecorder<Item> = Pick<Batches<Item>, keyof Batches<Item>>;

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
export function createBatchRecorder<Item>(options: BatchRecorderOptions<Item>): BatchRecorder<Item> {
  return new Batches(options);
}

/** What others call are fields, so that they can pass them on one by one. */
class Batches<Item> {
  readonly #options: BatchRecorderOptions<Item>;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  /** Until when a stopping worker waits for the database, by the clock of `performance`. */
  #giveUpAt = Number.POSITIVE_INFINITY;
  #queue: Pending<Item>[] = [];
  #queueBytes = 0;
  #batch: Pending<Item>[] = [];
  #working: Promise<void> | null = null;
  #overflow = 0;
  #failure: { message: string; since: number } | null = null;

  constructor(options: BatchRecorderOptions<Item>) {
    this.#options = options;
    this.#log = options.log.child({ recording: options.kind });
  }

  /** Adds an item, which is kept until it is recorded. Resolves to whether it was recorded; never rejects. */
  readonly add = (item: Item): Promise<boolean> =>
    new Promise((done) => {
      this.#options.observer?.added(item);
      const bytes = this.#options.sizeOf(item);
      const since = performance.now();
      this.#queue.push({ item, bytes, since, isReplaced: false, isWriting: false, done });
      this.#queueBytes += bytes;
      this.#dropOldest();
      this.#working ??= this.#work();
    });

  /** Resolves when nothing is pending. */
  readonly flushed = async (): Promise<void> => {
    while (this.#working) await this.#working;
  };

  /** Stops gathering, and waits only this long for a database that is unavailable before it gives items up; in milliseconds. */
  readonly stop = (patienceMs = 0): void => {
    this.#giveUpAt = performance.now() + patienceMs;
    this.#stopping.abort();
  };

  /** Items neither recorded nor given up. */
  readonly pending = (): number =>
    this.#queue.length + this.#batch.filter(({ isWriting }) => isWriting).length;

  /** How many milliseconds the oldest of them has been pending; null: none. */
  readonly oldestPendingMs = (): number | null => {
    const oldest = this.#batch.find(({ isWriting }) => isWriting) ?? this.#queue[0];
    return oldest ? performance.now() - oldest.since : null;
  };

  async #work(): Promise<void> {
    const { maxBatch, gatherMs } = this.#options;
    while (this.#queue.length > 0) {
      if (this.#queue.length < maxBatch) await this.#sleep(gatherMs);
      this.#batch = this.#takeBatch();
      await this.#recordBatch(this.#batch);
      this.#batch = [];
    }
    if (this.#overflow > 0) this.#log.warn({ givenUp: this.#overflow }, 'recorded the backlog');
    this.#overflow = 0;
    this.#working = null;
  }

  #sleep(ms: number): Promise<unknown> {
    return createWake().sleep(ms, { signal: this.#stopping.signal });
  }

  #takeBatch(): Pending<Item>[] {
    let bytes = 0;
    const end = this.#queue.findIndex((pending, index) => {
      bytes += pending.bytes;
      return index > 0 && (index >= this.#options.maxBatch || bytes > MAX_BATCH_BYTES);
    });
    const taken = this.#queue.splice(0, end < 0 ? this.#queue.length : end);
    for (const pending of taken) {
      this.#queueBytes -= pending.bytes;
      pending.isWriting = true;
    }
    return taken;
  }

  async #recordBatch(all: Pending<Item>[]): Promise<void> {
    const { kind, write, observer, isUnavailable = isDatabaseUnavailable } = this.#options;
    const parts = [all];
    let id = randomUUID();
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        await write(
          part.map(({ item }) => item),
          id,
        );
        this.#noteSuccess();
        observer?.written(kind, part.length);
        id = randomUUID();
        for (const pending of part) finish(pending, true);
      } catch (error) {
        if (isUnavailable(error)) parts.unshift(...(await this.#awaitDatabase(part, error)));
        else {
          id = randomUUID();
          if (part.length > 1) parts.unshift(...halve(part));
          else parts.unshift(...part.flatMap((culprit) => this.#replaceCulprit(culprit, error)));
        }
      }
    }
  }

  /** Returns the batch to write again after a while, or none if the worker stops waiting. */
  async #awaitDatabase(part: Pending<Item>[], error: unknown): Promise<Pending<Item>[][]> {
    this.#noteFailure(error);
    if (performance.now() >= this.#giveUpAt) {
      this.#giveUp(part, 'given up: the worker is stopping while the database is unavailable');
      return [];
    }
    await (this.#stopping.signal.aborted ? createWake().sleep(LAST_RETRY_MS) : this.#sleep(RETRY_MS));
    return [part];
  }

  /** Returns a batch that records the culprit once more, in a storable form, or none after that. */
  #replaceCulprit(culprit: Pending<Item>, error: unknown): Pending<Item>[][] {
    const { subjectOf, replaceRefused } = this.#options;
    const fields = { ...subjectOf(culprit.item), error: describeError(error) };
    if (culprit.isReplaced) {
      this.#log.error(fields, 'given up: rejected even without its content');
      finish(culprit, false);
      return [];
    }
    this.#log.error(fields, 'rejected; recording it without its content');
    culprit.item = replaceRefused(culprit.item);
    culprit.isReplaced = true;
    return [[culprit]];
  }

  #giveUp(items: Pending<Item>[], why: string): void {
    const [first] = items;
    if (first) this.#log.error({ ...this.#options.subjectOf(first.item), items: items.length }, why);
    for (const pending of items) finish(pending, false);
  }

  /** Logged once per outage, not once a second. */
  #noteFailure(error: unknown): void {
    const message = describeError(error);
    if (message === this.#failure?.message) return;
    this.#failure = { message, since: this.#failure?.since ?? performance.now() };
    this.#log.error({ pending: this.pending(), error: message }, 'cannot record: waiting for the database');
  }

  #noteSuccess(): void {
    if (this.#failure === null) return;
    const seconds = Math.round((performance.now() - this.#failure.since) / 1000);
    this.#failure = null;
    this.#log.warn({ pending: this.pending(), seconds }, 'recording resumed');
  }

  #dropOldest(): void {
    const { maxPending, subjectOf } = this.#options;
    const isOver = () => this.#queue.length > maxPending.count || this.#queueBytes > maxPending.bytes;
    while (this.#queue.length > 1 && isOver()) {
      const oldest = this.#queue.shift();
      if (!oldest) return;
      this.#queueBytes -= oldest.bytes;
      this.#overflow += 1;
      if (this.#overflow === 1) {
        const fields = { ...subjectOf(oldest.item), pending: this.#queue.length, bytes: this.#queueBytes };
        this.#log.error(fields, 'too much is pending; giving up the oldest, starting with this one');
      }
      finish(oldest, false);
    }
  }
}

function finish<Item>(pending: Pending<Item>, isRecorded: boolean): void {
  pending.isWriting = false;
  pending.done(isRecorded);
}

function halve<Item>(items: Item[]): Item[][] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
