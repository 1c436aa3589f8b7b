import { describe, expect, it } from 'vitest';
import { listFailures, runStages } from './run-stages.mjs';
import type { Step } from './steps.mjs';

/** A step that succeeds, or fails; `runStep` calls its `run`. */
function step(name: string, isOk: boolean, rest: Partial<Step> = {}): Step {
  return { name, title: `The ${name}`, run: async () => isOk, ...rest };
}

/** Runs the stages; returns the names of the steps that ran, and the failures. */
async function run(stages: Step[][], isInterrupted?: () => boolean) {
  const ran: string[] = [];
  const runStep = (each: Step) => {
    ran.push(each.name);
    return each.run();
  };
  const outcomes = await runStages(stages, { runStep, isInterrupted });
  return { ran, failures: listFailures(outcomes) };
}

describe('a step that fails', () => {
  it('does not hide the next ones, and the end lists every failure', async () => {
    const { ran, failures } = await run([
      [step('lint', false), step('build', true)],
      [step('unit', false, { listFailed: () => ['a.test.ts › waits', 'b.test.ts › ends'] })],
      [step('e2e', true, { needs: ['build'] })],
      [step('faults', false, { needs: ['build'] })],
    ]);
    expect(ran).toEqual(['lint', 'build', 'unit', 'e2e', 'faults']);
    expect(failures).toEqual([
      '  The lint',
      '  The unit',
      '    a.test.ts › waits',
      '    b.test.ts › ends',
      '  The faults',
    ]);
  });

  it('keeps only those from running that need it, and that is a failure of theirs', async () => {
    const { ran, failures } = await run([
      [step('build', false)],
      [step('unit', true)],
      [step('e2e', true, { needs: ['build'] }), step('docs', true, { needs: ['e2e'] })],
      [step('pictures', true, { needs: ['e2e'] })],
    ]);
    expect(ran).toEqual(['build', 'unit', 'docs']);
    expect(failures).toEqual([
      '  The build',
      '  The e2e (not run, because this failed: The build)',
      '  The pictures (not run, because this failed: The e2e)',
    ]);
  });

  it('is not needed where it was not selected', async () => {
    expect(await run([[step('e2e', true, { needs: ['build'] })]])).toEqual({ ran: ['e2e'], failures: [] });
  });
});

it('nothing begins after an interruption', async () => {
  const ran: string[] = [];
  const interrupted = await run(
    [[step('lint', true, { run: async () => ran.push('lint') > 0 })], [step('unit', true)]],
    () => ran.length > 0,
  );
  expect(interrupted).toEqual({ ran: ['lint'], failures: [] });
});
