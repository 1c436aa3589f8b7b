import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepLog } from '@/lib/testing/kept-log';
import { createBatchRecorder } from './batch-recorder';

type Item = { id: string; content: string };

const item = (id: string, content = ''): Item => ({ id, content });
const UNAVAILABLE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const REFUSED = new Error('refused by the database');

/** A recorder whose database fails with the result of `failure` for a batch; null: it succeeds. */
function begin(
  failure: (items: Item[], id: string) => Error | null,
  maxPending = { count: 1000, bytes: 1000 },
) {
  const written: Item[][] = [];
  const kept = keepLog();
  let attempts = 0;
  const recorder = createBatchRecorder<Item>({
    kind: 'items',
    write: async (items, id) => {
      attempts += 1;
      const error = failure(items, id);
      if (error) throw error;
      written.push(items);
    },
    replaceRefused: ({ id }) => item(id, 'replaced'),
    subjectOf: ({ id }) => ({ item: id }),
    sizeOf: ({ content }) => 1 + content.length,
    maxBatch: 4,
    gatherMs: 10,
    maxPending,
    log: kept.log,
  });
  const ids = () => written.map((batch) => batch.map(({ id }) => id));
  return { recorder, written, ids, lines: kept.lines, attempts: () => attempts };
}

const nothing = () => null;
const holds = (items: Item[], id: string) => items.some((one) => one.id === id);

describe('a batch recorder', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes items added within a moment in one batch, in order, one batch at a time', async () => {
    const { recorder, ids } = begin(nothing);
    const done = Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => recorder.add(item(id))));
    await vi.advanceTimersByTimeAsync(20);
    expect(await done).toEqual([true, true, true, true, true]);
    expect(ids()).toEqual([['a', 'b', 'c', 'd'], ['e']]);
  });

  it('keeps items while the database is unavailable, retries once a second, and logs the outage once', async () => {
    let isAway = true;
    const { recorder, ids, attempts, lines } = begin(() => (isAway ? UNAVAILABLE : null));
    const done = [recorder.add(item('a'))];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts()).toBeLessThanOrEqual(61);
    done.push(recorder.add(item('b')));
    isAway = false;
    await vi.advanceTimersByTimeAsync(1100);
    expect(await Promise.all(done)).toEqual([true, true]);
    expect(ids()).toEqual([['a'], ['b']]);
    expect(lines().map(({ msg }) => msg)).toEqual([
      'cannot record: waiting for the database',
      'recording resumed',
    ]);
  });

  it('writes a batch under the same ID until a response arrives, and every other one under its own', async () => {
    const attempts: string[] = [];
    const outages = new Map([
      ['ab', 3],
      ['d', 1],
    ]);
    const { recorder } = begin((items, id) => {
      const names = items.map((one) => one.id).join('');
      attempts.push(`${names} ${id}`);
      const left = outages.get(names) ?? 0;
      outages.set(names, left - 1);
      if (left > 0) return UNAVAILABLE;
      return names.includes('c') && names !== 'c' ? REFUSED : null;
    });
    const done = [recorder.add(item('a')), recorder.add(item('b'))];
    await vi.advanceTimersByTimeAsync(10);
    for (const id of ['c', 'd', 'e']) done.push(recorder.add(item(id)));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(done)).toEqual([true, true, true, true, true]);
    const batches = attempts.map((attempt) => attempt.split(' ')[0]);
    expect(batches).toEqual(['ab', 'ab', 'ab', 'ab', 'cde', 'cd', 'c', 'd', 'd', 'e']);
    expect([...new Set(attempts)].map((attempt) => attempt.split(' ')[0])).toEqual([
      'ab',
      'cde',
      'cd',
      'c',
      'd',
      'e',
    ]);
    expect(new Set(attempts.map((attempt) => attempt.split(' ')[1])).size).toBe(6);
  });

  it('does not let a rejected item block others, records it in a storable form, and logs it', async () => {
    const { recorder, written, ids, lines } = begin((items) =>
      items.some(({ id, content }) => id === 'bad' && content !== 'replaced') ? REFUSED : null,
    );
    const done = Promise.all(['a', 'b', 'bad', 'c'].map((id) => recorder.add(item(id, 'text'))));
    await vi.advanceTimersByTimeAsync(10);
    expect(await done).toEqual([true, true, true, true]);
    expect(ids()).toEqual([['a', 'b'], ['bad'], ['c']]);
    expect(written[1]).toEqual([item('bad', 'replaced')]);
    expect(lines()).toMatchObject([
      { item: 'bad', recording: 'items', msg: 'rejected; recording it without its content' },
    ]);
  });

  it('gives up an item that is rejected in every form, and logs it', async () => {
    const { recorder, ids, lines } = begin((items) => (holds(items, 'bad') ? REFUSED : null));
    const done = Promise.all(['a', 'bad'].map((id) => recorder.add(item(id))));
    await vi.advanceTimersByTimeAsync(10);
    expect(await done).toEqual([true, false]);
    expect(ids()).toEqual([['a']]);
    expect(lines().map((line) => line.item)).toEqual(['bad', 'bad']);
  });

  it('loses nothing if the database becomes unavailable between two halves', async () => {
    let isAway = false;
    const { recorder, ids } = begin((items) => {
      if (isAway) return UNAVAILABLE;
      if (!holds(items, 'bad')) return null;
      isAway = items.length === 2;
      return REFUSED;
    });
    const done = Promise.all(['a', 'b', 'c', 'bad'].map((id) => recorder.add(item(id))));
    await vi.advanceTimersByTimeAsync(5000);
    isAway = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await done).toEqual([true, true, true, false]);
    expect(ids()).toEqual([['a', 'b'], ['c']]);
  });

  it('reports how much is pending, and for how long', async () => {
    let isAway = true;
    const { recorder } = begin(() => (isAway ? UNAVAILABLE : null));
    expect([recorder.pending(), recorder.oldestPendingMs()]).toEqual([0, null]);
    void recorder.add(item('a'));
    await vi.advanceTimersByTimeAsync(5000);
    void recorder.add(item('b'));
    expect(recorder.pending()).toBe(2);
    expect(recorder.oldestPendingMs()).toBe(5000);
    isAway = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect([recorder.pending(), recorder.oldestPendingMs()]).toEqual([0, null]);
  });

  it.each([
    ['items', { count: 3, bytes: 1000 }, ''],
    ['bytes', { count: 1000, bytes: 300 }, 'x'.repeat(99)],
  ])(
    'keeps a limited number of %s: the oldest are dropped, which is logged once',
    async (_, maxPending, content) => {
      let isAway = true;
      const { recorder, ids, lines } = begin(() => (isAway ? UNAVAILABLE : null), maxPending);
      const done = [recorder.add(item('first', content))];
      await vi.advanceTimersByTimeAsync(10);
      for (const id of ['a', 'b', 'c', 'd', 'e']) done.push(recorder.add(item(id, content)));
      expect(recorder.pending()).toBe(4);
      isAway = false;
      await vi.advanceTimersByTimeAsync(2000);
      expect(await Promise.all(done)).toEqual([true, false, false, true, true, true]);
      expect(ids().flat()).toEqual(['first', 'c', 'd', 'e']);
      expect(lines().filter(({ msg }) => String(msg).startsWith('too much'))).toMatchObject([{ item: 'a' }]);
      expect(lines().at(-1)).toMatchObject({ givenUp: 2, msg: 'recorded the backlog' });
    },
  );

  it('stops gathering and gives up immediately when stopped while the database is unavailable', async () => {
    const { recorder, ids, lines } = begin(() => UNAVAILABLE);
    const waiting = recorder.add(item('a'));
    await vi.advanceTimersByTimeAsync(10);
    recorder.stop();
    expect(await waiting).toBe(false);
    expect(await recorder.add(item('b'))).toBe(false);
    await recorder.flushed();
    expect(ids()).toEqual([]);
    expect(lines().filter((line) => line.items === 1)).toMatchObject([{ item: 'a' }, { item: 'b' }]);
  });

  it('stopped with patience, waits that long for the database, and no longer', async () => {
    let isAway = true;
    const { recorder, ids } = begin(() => (isAway ? UNAVAILABLE : null));
    const first = recorder.add(item('a'));
    await vi.advanceTimersByTimeAsync(10);
    recorder.stop(5000);
    await vi.advanceTimersByTimeAsync(3000);
    isAway = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toBe(true);
    expect(ids()).toEqual([['a']]);
    isAway = true;
    const second = recorder.add(item('b'));
    await vi.advanceTimersByTimeAsync(2000);
    expect(await second).toBe(false);
  });
});
