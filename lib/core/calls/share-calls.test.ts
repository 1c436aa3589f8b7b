import { describe, expect, it } from 'vitest';
import { createSharedCalls } from './share-calls';

type Started = { resolve(result: number): void; reject(error: Error): void };

function begin() {
  const share = createSharedCalls<number>();
  const started: Started[] = [];
  const ask = (key = 'a') =>
    share(key, () => new Promise<number>((resolve, reject) => started.push({ resolve, reject })));
  return { ask, started };
}

describe('shared calls', () => {
  it('begin at once if none is running, and are not kept', async () => {
    const { ask, started } = begin();
    for (const result of [1, 2]) {
      const asked = ask();
      started.at(-1)?.resolve(result);
      expect(await asked).toBe(result);
    }
    expect(started).toHaveLength(2);
  });

  it('begin after everyone who shares them has asked', async () => {
    const { ask, started } = begin();
    const first = ask();
    const others = [ask(), ask(), ask()];
    expect(started).toHaveLength(1);
    started[0]?.resolve(1);
    expect(await first).toBe(1);
    await expect.poll(() => started.length).toBe(2);
    // The second one is running, so this one shares the third.
    const last = ask();
    started[1]?.resolve(2);
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
    await expect.poll(() => started.length).toBe(3);
    started[2]?.resolve(3);
    expect(await last).toBe(3);
  });

  it('are separate for different keys', async () => {
    const { ask, started } = begin();
    const asked = [ask('a'), ask('b')];
    started[0]?.resolve(1);
    started[1]?.resolve(2);
    expect(await Promise.all(asked)).toEqual([1, 2]);
  });

  it('fail for those who share them, and the next one begins anyway', async () => {
    const { ask, started } = begin();
    const failing = ask();
    const [second, third] = [ask(), ask()];
    started[0]?.reject(new Error('no database'));
    await expect(failing).rejects.toThrow('no database');
    await expect.poll(() => started.length).toBe(2);
    started[1]?.reject(new Error('still none'));
    await expect(second).rejects.toThrow('still none');
    await expect(third).rejects.toThrow('still none');
    const fourth = ask();
    started[2]?.resolve(4);
    expect(await fourth).toBe(4);
  });
});
