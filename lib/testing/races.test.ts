import { expect, it } from 'vitest';
import type { RacePoints } from '@/lib/domain/context/race-points';
import { holdAt } from './races';

it('holds an actor at the first arrival, and nowhere else', async () => {
  const passed: string[] = [];
  const act = async (races: RacePoints) => {
    for (const point of ['check taken', 'check finished', 'check finished'] as const) {
      await races.reach(point);
      passed.push(point);
    }
    return passed.length;
  };
  const held = await holdAt('check finished', act);
  expect(passed).toEqual(['check taken']);
  expect(await held.release()).toBe(3);
});

it('names the point that an actor did not reach, or passes on why it failed', async () => {
  const other = holdAt('states locked', (races) => races.reach('check taken'));
  await expect(other).rejects.toThrow("the actor ended without reaching 'states locked'");
  const failed = holdAt('states locked', () => Promise.reject(new Error('no such monitor')));
  await expect(failed).rejects.toThrow('no such monitor');
});
