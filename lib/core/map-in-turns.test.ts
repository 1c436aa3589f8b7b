import { expect, it } from 'vitest';
import { mapInTurns } from './map-in-turns';

it('maps in order, and lets others go on whenever 10 ms have passed', async () => {
  let now = 0;
  const seen: string[] = [];
  let isMapping = true;
  const others = () => {
    seen.push('others');
    if (isMapping) setImmediate(others);
  };
  setImmediate(others);
  const spend = (item: number) => {
    now += 4;
    seen.push(String(item));
    return item * 2;
  };
  expect(await mapInTurns([1, 2, 3, 4, 5, 6, 7], spend, () => now)).toEqual([2, 4, 6, 8, 10, 12, 14]);
  isMapping = false;
  expect(seen.join()).toBe('1,2,3,others,4,5,6,others,7');
});

it('rejects with what an item throws, and maps none after it', async () => {
  const seen: number[] = [];
  const mapping = mapInTurns([1, 2, 3], (item) => {
    seen.push(item);
    if (item === 2) throw new Error('two');
  });
  await expect(mapping).rejects.toThrow('two');
  expect(seen).toEqual([1, 2]);
});
