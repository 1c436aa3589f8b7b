import type { Logger } from '../logger';

/** What a line is about; also its message. All are in docs/operate/monitoring.md. */
export const JOURNAL_MESSAGES = [
  'status changed',
  'incident opened',
  'incident updated',
  'incident acknowledged',
  'incident resolved',
  'delivery failed; retrying',
  'delivery failed',
  'delivered after failures',
  'email sent',
  'push notification sent',
] as const;

type Message = (typeof JOURNAL_MESSAGES)[number];

/** Something that happened: `id` is its object, `as` what it is counted as when there is too much for a line each. */
export type JournalEntry = {
  message: Message;
  id: string;
  as: string;
  /** IDs and our own words: never a name, a URL, or what a target, a receiver or a person sent. */
  fields: Record<string, string | number | boolean | null>;
};

type Sink = (entries: readonly JournalEntry[]) => void;

/** Next has its own module instances in the same process, so a global holds the sinks of both. */
const shared = globalThis as typeof globalThis & { pharosJournal?: Set<Sink> };

/** Logs what happened. Call it once it is committed. Does nothing in a process without a journal. */
export function writeJournal(entries: readonly JournalEntry[]): void {
  for (const sink of shared.pharosJournal ?? []) sink(entries);
}

/** Lines of a second with the same message; more at once are one line with counts. */
export const MAX_LINES = 200;
const WINDOW_MS = 1000;
/** Kinds and IDs that a line with counts lists. */
const MAX_LISTED = 20;

type Window = { begunAt: number; lines: number; count: number; counts: Map<string, number>; ids: string[] };

/** What tells the time, and calls back after some milliseconds. */
type Timing = { now: () => number; later: (work: () => void, ms: number) => void };

const TIMING: Timing = {
  now: () => performance.now(),
  later: (work, ms) => void setTimeout(work, ms).unref(),
};

/**
 * Logs what happens in this process, a line each, until the returned function ends it. What does not fit into the lines of a second
 * is counted, and logged as one line at its end.
 */
export function startJournal(log: Pick<Logger, 'info'>, { now, later }: Timing = TIMING): () => void {
  const windows = new Map<Message, Window>();
  const close = (message: Message, { count, counts, ids }: Window) => {
    windows.delete(message);
    if (count > 0) log.info({ count, counts: Object.fromEntries(counts), among: ids }, message);
  };
  const windowOf = (message: Message): Window => {
    const current = windows.get(message);
    if (current && (current.count > 0 || now() - current.begunAt < WINDOW_MS)) return current;
    const begun = { begunAt: now(), lines: 0, count: 0, counts: new Map(), ids: [] };
    windows.set(message, begun);
    return begun;
  };
  const write = (message: Message, entries: JournalEntry[]) => {
    const window = windowOf(message);
    if (window.count === 0 && window.lines + entries.length <= MAX_LINES) {
      window.lines += entries.length;
      for (const { fields } of entries) log.info(fields, message);
      return;
    }
    if (window.count === 0) later(() => close(message, window), WINDOW_MS);
    for (const entry of entries) countEntry(window, entry);
  };
  const sink: Sink = (entries) => {
    for (const message of new Set(entries.map((entry) => entry.message))) {
      write(
        message,
        entries.filter((entry) => entry.message === message),
      );
    }
  };
  shared.pharosJournal ??= new Set();
  shared.pharosJournal.add(sink);
  return () => {
    shared.pharosJournal?.delete(sink);
    for (const [message, window] of windows) close(message, window);
  };
}

function countEntry(window: Window, { as, id }: JournalEntry): void {
  window.count += 1;
  const key = window.counts.has(as) || window.counts.size < MAX_LISTED ? as : 'other';
  window.counts.set(key, (window.counts.get(key) ?? 0) + 1);
  if (window.ids.length < MAX_LISTED) window.ids.push(id);
}
