import { describe, expect, it } from 'vitest';
import { checkSlots } from './slots';
import { MINUTE, monitor, OUTAGE, perfectRun, START } from './testing/perfect-run';

/** How often a run breaks the rule if its monitor confirms every ten seconds, and was also checked at these times after the start. */
function countDoubles(extra: readonly number[], confirmInterval: number | null = 10): number {
  const run = perfectRun();
  for (const watched of run.monitors) watched.plan = { ...monitor, confirmInterval };
  const [first] = run.results;
  if (!first) throw new Error('the run has no result');
  for (const at of extra) run.results.push({ ...first, checkedAt: START + at, outcome: 'failed' });
  return checkSlots(run).filter(({ rule }) => rule === 'one result per slot').length;
}

const every = (ms: number, count: number) =>
  Array.from({ length: count }, (_, n) => OUTAGE.from + 20_000 + n * ms);

describe('checks off the grid', () => {
  it('may follow a failure, of monitors that confirm', () => {
    expect(countDoubles(every(10_000, 3))).toBe(0);
    expect(countDoubles(every(10_000, 3), null)).toBeGreaterThan(0);
  });

  it('may not happen long after the last failure', () => {
    const run = perfectRun();
    const late = run.results.find(({ checkedAt }) => checkedAt > START + OUTAGE.to + 8 * MINUTE);
    if (!late) throw new Error('the run is too short');
    for (const watched of run.monitors) watched.plan = { ...monitor, confirmInterval: 10 };
    run.results.push({ ...late, checkedAt: late.checkedAt + 5000 });
    expect(checkSlots(run).map(({ rule }) => rule)).toEqual(['one result per slot']);
  });

  it('may not be more than ten, and one per interval', () => {
    // By then, the monitor is ten intervals old.
    expect(countDoubles(every(1000, 20))).toBe(0);
    expect(countDoubles(every(1000, 40))).toBeGreaterThan(5);
  });
});
