/** @typedef {import('./steps.mjs').Step} Step */
/**
 * How a step ended. `missing` is the title of a step that it needs, which did not succeed.
 * @typedef {{ step: Step, isOk: boolean, missing?: string }} Outcome
 */

/**
 * Runs the stages in order, the steps of a stage at the same time. A step that fails does not hide the next ones: only those that need it
 * are not run. Nothing begins once `isInterrupted`.
 * @param {Step[][]} stages
 * @param {{ runStep: (step: Step) => Promise<boolean>, isInterrupted?: () => boolean }} options
 * @returns {Promise<Outcome[]>}
 */
export async function runStages(stages, { runStep, isInterrupted = () => false }) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const steps of stages) {
    if (isInterrupted()) return outcomes;
    const ended = steps.map(async (step) => {
      const missing = outcomes.find((each) => !each.isOk && step.needs?.includes(each.step.name))?.step.title;
      return missing === undefined ? { step, isOk: await runStep(step) } : { step, isOk: false, missing };
    });
    outcomes.push(...(await Promise.all(ended)));
  }
  return outcomes;
}

/**
 * Every failure of a run, a line each: steps, and below them their failed tests.
 * @param {Outcome[]} outcomes
 * @returns {string[]}
 */
export function listFailures(outcomes) {
  return outcomes
    .filter(({ isOk }) => !isOk)
    .flatMap(({ step, missing }) => [
      `  ${step.title}${missing === undefined ? '' : ` (not run, because this failed: ${missing})`}`,
      ...(step.listFailed?.() ?? []).map((name) => `    ${name}`),
    ]);
}
