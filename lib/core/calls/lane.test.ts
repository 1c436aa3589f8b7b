import { expect, it } from 'vitest';
import { createLane } from './lane';

/** Calls that run until the test ends them. */
function begin(limits: { running: number; waiting: number }) {
  const lane = createLane(limits);
  const running = new Map<string, { end(): void; fail(error: Error): void }>();
  const call = (name: string) =>
    lane.run(
      () =>
        new Promise<string>((resolve, reject) => {
          const finish = (settle: () => void) => () => {
            running.delete(name);
            settle();
          };
          running.set(name, {
            end: finish(() => resolve(name)),
            fail: (error) => finish(() => reject(error))(),
          });
        }),
    );
  return { call, running, names: () => [...running.keys()] };
}

it('runs so many calls at once, the others in order, and rejects more than may wait', async () => {
  const { call, running, names } = begin({ running: 2, waiting: 2 });
  const calls = Promise.allSettled(['a', 'b', 'c', 'd'].map(call));
  await expect(call('e')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(names()).toEqual(['a', 'b']);
  running.get('b')?.end();
  await expect.poll(names).toEqual(['a', 'c']);
  running.get('a')?.fail(new Error('failed'));
  await expect.poll(names).toEqual(['c', 'd']);
  for (const name of names()) running.get(name)?.end();
  expect((await calls).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  const late = call('f');
  await expect.poll(names).toEqual(['f']);
  running.get('f')?.end();
  expect(await late).toBe('f');
});
