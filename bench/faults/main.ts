import { readFile, writeFile } from 'node:fs/promises';
import { measureSlowness } from '@/bin/testing/patience.mjs';
import { log, readCount, readOptions } from '../playground';
import type { Violation } from './checker';
import { applyMutation, MUTATIONS } from './mutations';
import { choosePace, choosePaceAfter } from './pace';
import { drawPlan, FAULT_KINDS, type FaultKind, type Plan } from './plan';
import { judge } from './report';
import { runPlan } from './run';

const USAGE = `usage: npm run test:faults -- [options]

Runs real processes under faults drawn from a seed and judges what targets, receivers and the API saw.

  --seed N      the seed of the plan, or several, separated by commas; the same seed draws the same plan (default: today's
                day of the year)
  --minutes M   minutes of real time per seed (default 2)
  --factor F    how many times as fast as real time the processes live on two quiet cores (default 5); fewer on a slower machine,
                which is measured at the start, so that the same plan takes longer there
  --monitors N  number of monitors (default 40)
  --only KINDS  draw only faults of these kinds, separated by commas
  --faults N    draw at most N faults
  --keep FILE   write everything that was seen to FILE, as JSON
  --check FILE  judge what an earlier run kept, without running anything
  --mutations W build known faults into the engine, one after the other, and fail if the seeds do not find each of them:
                those whose name contains W; all with ''
`;

type Size = {
  minutes: number;
  factor: number;
  /** The factor on this machine. */
  pace: number;
  monitors: number;
  kinds: readonly FaultKind[];
  maxFaults?: number;
};

/** Runs seeds one after the other. Returns the exit code: 1 if a promise was broken. */
export async function main(words: string[]): Promise<number> {
  const options = readOptions(words, USAGE, {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '2' },
    factor: { type: 'string', default: '5' },
    monitors: { type: 'string', default: '40' },
    only: { type: 'string' },
    faults: { type: 'string' },
    keep: { type: 'string' },
    check: { type: 'string' },
    mutations: { type: 'string' },
  });
  if (options.check !== undefined)
    return judge(JSON.parse(await readFile(options.check, 'utf8'))).length > 0 ? 1 : 0;
  const seeds = (options.seed ?? String(dayOfYear())).split(',').map((text) => readCount('seed', text, 0));
  const factor = readCount('factor', options.factor);
  const slowness = await measureSlowness();
  const pace = choosePace(factor, slowness);
  log(`factor ${pace} of ${factor}: this machine is ${slowness} times as slow as two quiet cores`);
  const size: Size = {
    minutes: readCount('minutes', options.minutes),
    factor,
    pace,
    monitors: readCount('monitors', options.monitors),
    kinds: readKinds(options.only),
    maxFaults: options.faults === undefined ? undefined : readCount('faults', options.faults, 0),
  };
  // Every process under test ends with this one.
  process.setMaxListeners(0);
  if (options.mutations !== undefined) return findMutations(options.mutations, seeds, size, options.keep);
  let code = 0;
  for (const seed of seeds) if ((await runSeed(seed, size, options.keep)).length > 0) code = 1;
  return code;
}

/** Runs one seed and returns the rules that were broken. */
async function runSeed(
  seed: number,
  { minutes, factor, pace, monitors, kinds, maxFaults }: Size,
  keep?: string,
): Promise<string[]> {
  const plan = drawPlan({ seed, minutes: minutes * factor, size: monitors, kinds, maxFaults });
  log(
    `seed ${seed}: ${minutes * factor} virtual minutes, ${monitors} monitors, ${plan.faults.length} faults`,
  );
  const broken = await runAtPace(plan, pace, keep);
  if (broken.length > 0) {
    const size = `--minutes ${minutes} --factor ${factor} --monitors ${monitors}`;
    const fewer = maxFaults === undefined ? '' : ` --faults ${maxFaults}`;
    log(`repeat it with: npm run test:faults -- --seed ${seed} ${size}${fewer}`);
  }
  return [...new Set(broken.map(({ rule }) => rule))];
}

/** Runs a plan, and more slowly as long as it broke something that may be the machine's doing. Returns what the last run broke. */
async function runAtPace(plan: Plan, pace: number, keep?: string): Promise<Violation[]> {
  const seen = await runPlan(plan, { factor: pace });
  if (keep !== undefined) await writeFile(keep, JSON.stringify(seen));
  const broken = judge(seen);
  const slower = choosePaceAfter(broken, pace);
  if (slower === null) return broken;
  log(`something was too late, which may be this machine's doing: once more at factor ${slower}`);
  return runAtPace(plan, slower, keep);
}

/** Whether each known fault of the engine is found by one of the seeds. */
async function findMutations(words: string, seeds: number[], size: Size, keep?: string): Promise<number> {
  const lines: string[] = [];
  let code = 0;
  for (const mutation of MUTATIONS.filter(({ name }) => name.includes(words))) {
    const heal = await applyMutation(mutation);
    let found: string | null = null;
    try {
      for (const seed of seeds) {
        const broken = await runSeed(seed, size, keep);
        if (broken.length === 0) continue;
        found = `seed ${seed}: ${broken.join(', ')}`;
        break;
      }
    } finally {
      await heal();
    }
    if (found === null) code = 1;
    lines.push(`${mutation.name} → ${found ?? 'NOT FOUND'}`);
  }
  console.log(lines.join('\n'));
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

function dayOfYear(): number {
  const now = new Date();
  return Math.floor((now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 0)) / 86_400_000);
}
