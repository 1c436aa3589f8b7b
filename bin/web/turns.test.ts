import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { createTurns } from './turns';

/** Work that takes until it is ended, and what has begun. */
function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  return { begun, start, end: (name: string) => ends.get(name)?.() };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTick();
}

it('a source has a few requests handled at once, and another one does not wait for it', async () => {
  const takeTurn = createTurns({ atOnce: 2, turnMs: 1e6 });
  const { begun, start, end } = createWork();
  const results = ['a1', 'a2', 'a3', 'a4'].map((name) => takeTurn('a', start(name)));
  await settle();
  expect(begun).toEqual(['a1', 'a2']);
  const other = takeTurn('b', start('b1'));
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end('a2');
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) end(name);
  await settle();
  end('a4');
  expect(await Promise.all([...results, other])).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

it('a source with many waiting requests has one at a time', async () => {
  const takeTurn = createTurns({ atOnce: 2, crowd: 3, turnMs: 1e6 });
  let [running, most] = [0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await settle();
    running -= 1;
  };
  const all = Array.from({ length: 20 }, () => takeTurn('a', work));
  await Promise.all(all.slice(0, 2));
  most = 0;
  await Promise.all(all.slice(2, 12));
  expect(most).toBe(1);
  await Promise.all(all);
});

it('of all sources, one request begins in each turn of the event loop', async () => {
  const takeTurn = createTurns({ turnMs: 1e6 });
  const { begun, start, end } = createWork();
  const sources = Array.from({ length: 5 }, (_, index) => `source ${index}`);
  const all = sources.map((source) => takeTurn(source, start(source)));
  let before = 0;
  while (begun.length < sources.length) {
    await nextTick();
    expect(begun.length - before).toBeLessThanOrEqual(1);
    before = begun.length;
  }
  for (const source of sources) end(source);
  await Promise.all(all);
});

it('a request that waits for long lets the next one begin, and gets its own result', async () => {
  const takeTurn = createTurns({ atOnce: 1, turnMs: 1 });
  const { begun, start, end } = createWork();
  const slow = takeTurn('a', start('slow'));
  expect(await takeTurn('a', async () => [...begun])).toEqual(['slow']);
  end('slow');
  expect(await slow).toBe('slow');
});

it('a request that fails ends its turn, and fails alone', async () => {
  const takeTurn = createTurns({ atOnce: 1, turnMs: 1e6 });
  const failure = takeTurn('a', () => Promise.reject(new Error('no')));
  const next = takeTurn('a', async () => 'yes');
  await expect(failure).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('requests that take no time leave a turn of the event loop to others after each', async () => {
  const takeTurn = createTurns({ atOnce: 1, crowd: 100 });
  let turns = 0;
  let isDone = false;
  const others = async () => {
    for (; !isDone; turns += 1) await nextTick();
  };
  const all = Promise.all(Array.from({ length: 20 }, () => takeTurn('a', async () => undefined)));
  await Promise.all([
    all.then(() => {
      isDone = true;
    }),
    others(),
  ]);
  expect(turns).toBeGreaterThanOrEqual(19);
});

it('a source with too many pending requests is refused another, and no one else', async () => {
  const takeTurn = createTurns({ atOnce: 1, turnMs: 1e6, maxPending: 2 });
  const { begun, start, end } = createWork();
  const accepted = ['1', '2', '3'].map((name) => takeTurn('a', start(name)));
  await settle();
  await expect(takeTurn('a', start('4'))).rejects.toBeInstanceOf(RateLimitedError);
  expect(await takeTurn('b', async () => 'other')).toBe('other');
  for (const name of ['1', '2', '3']) {
    end(name);
    await settle();
  }
  expect(await Promise.all(accepted)).toEqual(begun);
});
