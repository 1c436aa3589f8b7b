// `npm test`: all checks in order, also after a failure; CI adds some. `npm test -- --only lint,unit` runs only these steps;
// `npm test -- --changed main` the quick ones, with the tests that the changes since that commit can break (without one, what is not committed).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withPatience } from './testing/patience.mjs';
import { createRunDirectory, removeRunDirectory } from './testing/run-directory.mjs';
import { signalPrograms } from './testing/run-program.mjs';
import { listFailures, runStages } from './testing/run-stages.mjs';
import { formatSlowest } from './testing/slowest-files.mjs';
import { listStages } from './testing/steps.mjs';
import { addCounts, formatCounts } from './testing/test-counts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = createRunDirectory({ inMemory: process.env.TMPDIR === undefined });
process.once('exit', () => removeRunDirectory(directory));

const QUICK = ['generate', 'lint', 'types', 'unit'];

let interrupted = false;
let lastSignalAt = Number.NEGATIVE_INFINITY;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    // Ctrl-C arrives twice, from the terminal and from npm. A second one would make Playwright exit immediately.
    const isEcho = performance.now() - lastSignalAt < 1000;
    interrupted = true;
    lastSignalAt = performance.now();
    if (!isEcho) signalPrograms(signal);
  });
}

const { values, positionals } = parseArgs({
  options: { only: { type: 'string' }, changed: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (positionals.length > (values.changed ? 1 : 0)) {
  console.error(
    `${positionals.at(-1)} is no option; one test file runs with: npm run test:unit -- ${positionals.at(-1)}`,
  );
  process.exit(1);
}
const environment = await withPatience(process.env);
const changed = values.changed ? (positionals[0] ?? 'HEAD') : undefined;
const stages = selectStages(listStages({ root, directory, environment, changed }));
const outcomes = await runStages(stages, { runStep, isInterrupted: () => interrupted });
const counts = outcomes.map(({ step, isOk }) => {
  const counted = step.count?.() ?? { passed: 0, failed: 0, skipped: 0 };
  // A step that fails without a failed test counts as one failure, so the last line never looks like success.
  return isOk || counted.failed > 0 ? counted : { ...counted, failed: 1 };
});
const failures = listFailures(outcomes);
if (failures.length > 0) console.error(`\nFailed:\n${failures.join('\n')}`);
if (interrupted) console.error('\nInterrupted.');
console.log(`\nAll steps: ${readChildrenCpuSeconds().toFixed(0)} s of CPU`);
console.log(`\n${formatCounts(addCounts(counts))}`);
process.exitCode = failures.length > 0 || interrupted ? 1 : 0;

/** What all ended programs of this run and their children have taken, where the system says it: 0 elsewhere. */
function readChildrenCpuSeconds() {
  if (process.platform !== 'linux') return 0;
  // proc(5): user and system time of ended children, the 16th and 17th field, in ticks of 10 ms. The name before them is in parentheses.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** @param {import('./testing/steps.mjs').Step} step */
async function runStep({ title, run, time }) {
  const start = performance.now();
  const cpuBefore = readChildrenCpuSeconds();
  console.log(`\n── ${title}`);
  const ok = await run().catch((/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    return false;
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  // Steps of one stage run at the same time, so that the last one to end has the most.
  const cpu = (readChildrenCpuSeconds() - cpuBefore).toFixed(0);
  if (time) console.log(`\nThe slowest files:\n${formatSlowest(time())}`);
  console.log(`── ${title}: ${ok ? 'ok' : 'FAILED'}, ${seconds} s, ${cpu} s of CPU`);
  return ok;
}

/**
 * The steps named by `--only`, the quick ones with `--changed`, or all steps.
 * @param {import('./testing/steps.mjs').Step[][]} stages
 */
function selectStages(stages) {
  const steps = stages.flat();
  const names = steps.map((step) => step.name);
  const usual = steps
    .filter(({ runs }) => runs === undefined || (runs === 'in CI' && process.env.CI))
    .map((step) => step.name);
  const only = values.only?.split(',') ?? (values.changed ? QUICK : usual);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`unknown step ${unknown.join(', ')}; the steps are ${names.join(', ')}`);
    process.exit(1);
  }
  return stages.map((steps) => steps.filter((step) => only.includes(step.name)));
}
