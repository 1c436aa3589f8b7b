import { readFile, writeFile } from 'node:fs/promises';
import { count, log, readCount, readOptions } from '../playground';
import { checkRun, groupBy, type Violation } from './checker';
import type { Observations } from './observations';
import { drawPlan, FAULT_KINDS, type FaultKind } from './plan';
import { runPlan } from './run';

const USAGE = `usage: npm run test:faults -- [options]

Runs real processes under faults drawn from a seed and judges what targets, receivers and the API saw.

  --seed N      the seed of the plan; the same seed draws the same plan (default: today's day of the year)
  --minutes M   minutes of real time (default 1)
  --factor F    how many times as fast as real time the processes live (default 20)
  --monitors N  number of monitors (default 40)
  --only KINDS  draw only faults of these kinds, separated by commas
  --keep FILE   write everything that was seen to FILE, as JSON
  --check FILE  judge what an earlier run kept, without running anything
`;

/** Printed per rule; the rest is counted. */
const MAX_PRINTED = 5;
const MAX_HISTORY = 25;

/** Runs one seed. Returns the exit code: 1 if a promise was broken. */
export async function main(words: string[]): Promise<number> {
  const options = readOptions(words, USAGE, {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    factor: { type: 'string', default: '20' },
    monitors: { type: 'string', default: '40' },
    only: { type: 'string' },
    keep: { type: 'string' },
    check: { type: 'string' },
  });
  if (options.check !== undefined) return judge(JSON.parse(await readFile(options.check, 'utf8')));
  const factor = readCount('factor', options.factor);
  const minutes = readCount('minutes', options.minutes) * factor;
  const seed = readCount('seed', options.seed ?? dayOfYear(), 0);
  const size = readCount('monitors', options.monitors);
  const plan = drawPlan({ seed, minutes, size, kinds: readKinds(options.only) });
  log(
    `seed ${seed}: ${minutes} virtual minutes, ${plan.monitors.length} monitors, ${plan.faults.length} faults`,
  );

  // Every process under test ends with this one.
  process.setMaxListeners(0);
  const seen = await runPlan(plan, { factor });
  if (options.keep !== undefined) await writeFile(options.keep, JSON.stringify(seen));
  const code = judge(seen);
  if (code !== 0) log(`repeat it with: npm run test:faults -- --seed ${seed} --minutes ${options.minutes}`);
  return code;
}

function readKinds(text: string | undefined): readonly FaultKind[] {
  if (text === undefined) return FAULT_KINDS;
  return text.split(',').map((name) => {
    const kind = FAULT_KINDS.find((each) => each === name.trim());
    if (!kind) throw new Error(`unknown fault "${name}"; the kinds are ${FAULT_KINDS.join(', ')}`);
    return kind;
  });
}

/** Prints what was seen and every broken promise. Returns the exit code. */
function judge(seen: Observations): number {
  const violations = checkRun(seen);
  printSummary(seen);
  printViolations(violations);
  return violations.length > 0 ? 1 : 0;
}

function printSummary({ results, received, transitions, faults, monitors, health }: Observations): void {
  const requests = `${count(received.length)} webhook requests`;
  log(
    `${count(results.length)} results of ${monitors.length} monitors, ${count(transitions.length)} transitions, ${requests}, ` +
      `${faults.length} faults, ${count(health.length)} health samples`,
  );
}

function printViolations(violations: Violation[]): void {
  for (const [rule, all] of groupBy(violations, (violation) => violation.rule)) {
    // The smallest history that shows it comes first.
    const sorted = all.toSorted((a, b) => a.history.length - b.history.length);
    console.error(`BROKEN: ${rule}: ${all.length} times`);
    for (const { object, message, history } of sorted.slice(0, MAX_PRINTED)) {
      console.error(`  ${object}: ${message}`);
      for (const line of history.slice(0, MAX_HISTORY)) console.error(`    ${line}`);
    }
  }
  if (violations.length === 0) console.log('no promise was broken');
}

function dayOfYear(): number {
  const now = new Date();
  return Math.floor((now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 0)) / 86_400_000);
}
