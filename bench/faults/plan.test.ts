import { expect, it } from 'vitest';
import { drawPlan, modeAt } from './plan';

const draw = (seed: number) => drawPlan({ seed, minutes: 20, size: 30 });

it('the same seed draws the same plan, another one another', () => {
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

it.each([1, 2, 3, 4, 5])('seed %i begins calmly, and leaves time to recover', (seed) => {
  const { faults, operations, monitors, endpoints, quietMs, endMs } = draw(seed);
  expect(faults.length).toBeGreaterThan(0);
  for (const { atMs } of [...faults, ...operations]) {
    expect(atMs).toBeGreaterThanOrEqual(60_000);
    expect(atMs).toBeLessThan(quietMs);
  }
  for (const { spells } of monitors)
    for (const all of Object.values(spells)) expect(modeAt(all, endMs - 1)).toBe('ok');
  for (const { spells } of endpoints) expect(modeAt(spells, endMs - 1)).toBe('accept');
});
