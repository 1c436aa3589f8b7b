// `npm test`: everything that has to hold, in order, up to the first failure. `npm test -- --only lint,unit` runs these
// steps alone.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRunDirectory, removeRunDirectory } from './testing/run-directory.mjs';
import { signalPrograms } from './testing/run-program.mjs';
import { listStages } from './testing/steps.mjs';
import { addCounts, formatCounts } from './testing/test-counts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = createRunDirectory();
process.once('exit', () => removeRunDirectory(directory));

let interrupted = false;
let lastSignalAt = Number.NEGATIVE_INFINITY;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    // One Ctrl-C comes twice, from the terminal and from npm; a second one would make Playwright leave at once.
    const isEcho = performance.now() - lastSignalAt < 1000;
    interrupted = true;
    lastSignalAt = performance.now();
    if (!isEcho) signalPrograms(signal);
  });
}

const stages = selectStages(listStages({ root, directory, environment: process.env }));
const failed = await runStages(stages);
const counts = addCounts(stages.flat().map((step) => step.count?.() ?? { passed: 0, failed: 0, skipped: 0 }));
// A step that fails by other means than a test counts as one failure, so that the last line never looks like a success.
if (failed.length > 0 && counts.failed === 0) counts.failed = failed.length;
if (interrupted) console.error('\nInterrupted.');
else if (failed.length > 0) console.error(`\nFailed: ${failed.map((step) => step.title).join('; ')}.`);
console.log(`\n${formatCounts(counts)}`);
process.exitCode = failed.length > 0 || interrupted ? 1 : 0;

/**
 * Runs stage by stage until a step fails; returns the steps that did.
 * @param {import('./testing/steps.mjs').Step[][]} stages
 */
async function runStages(stages) {
  for (const steps of stages) {
    if (interrupted) return [];
    const done = await Promise.all(steps.map(async (step) => ({ step, ok: await runStep(step) })));
    const failed = done.filter(({ ok }) => !ok).map(({ step }) => step);
    if (failed.length > 0) return failed;
  }
  return [];
}

/** @param {import('./testing/steps.mjs').Step} step */
async function runStep({ title, run }) {
  const start = performance.now();
  console.log(`\n── ${title}`);
  const ok = await run().catch((/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    return false;
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`── ${title}: ${ok ? 'ok' : 'FAILED'}, ${seconds} s`);
  return ok;
}

/**
 * The steps that `--only` names, or all.
 * @param {import('./testing/steps.mjs').Step[][]} stages
 */
function selectStages(stages) {
  const names = stages.flat().map((step) => step.name);
  const only = parseArgs({ options: { only: { type: 'string' } } }).values.only?.split(',') ?? names;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`there is no step ${unknown.join(', ')}; the steps are ${names.join(', ')}`);
    process.exit(1);
  }
  return stages.map((steps) => steps.filter((step) => only.includes(step.name)));
}
