import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { encodeList, ITEMS_PER_PART } from './encode-list';

const write = (item: string) => JSON.stringify(item);
const names = (count: number) => Array.from({ length: count }, (_, index) => `"ü" 🙂 ${index}`);

it.each([0, 1, 2, ITEMS_PER_PART, ITEMS_PER_PART + 1, 2 * ITEMS_PER_PART + 7])(
  'a list of %i items is the JSON of the array, in parts',
  async (count) => {
    const items = names(count);
    const parts = await encodeList(items, write);
    expect(Buffer.concat(parts).toString()).toBe(JSON.stringify(items));
    expect(parts).toHaveLength(Math.max(1, Math.ceil(count / ITEMS_PER_PART)));
  },
);

it('others have their turn between the parts', async () => {
  let turns = 0;
  let isDone = false;
  const others = async () => {
    for (; !isDone; turns += 1) await setImmediate();
  };
  const waiting = others();
  await encodeList(names(10 * ITEMS_PER_PART), write);
  isDone = true;
  await waiting;
  expect(turns).toBeGreaterThanOrEqual(9);
});
