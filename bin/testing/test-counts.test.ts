import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addCounts, countPlaywright, countVitest, formatCounts } from './test-counts.mjs';

describe('the counts of a test run', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'counts-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const write = async (report: object) => {
    const path = join(directory, 'report.json');
    await writeFile(path, JSON.stringify(report));
    return path;
  };

  it('count a file that Vitest could not load, or that failed outside its tests, as a failure', async () => {
    const path = await write({
      numPassedTests: 7,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [{ status: 'failed' }] },
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{ status: 'skipped' }] },
        { status: 'passed', assertionResults: [] },
      ],
    });
    expect(countVitest(path)).toEqual({ passed: 7, failed: 3, skipped: 3 });
  });

  it('count a flaky browser test as a failure', async () => {
    const path = await write({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } });
    expect(countPlaywright(path)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('are zero without a report', () => {
    expect(countVitest(join(directory, 'missing.json'))).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });

  it('are added up in one line', () => {
    const sum = addCounts([
      { passed: 1, failed: 2, skipped: 3 },
      { passed: 10, failed: 20, skipped: 30 },
    ]);
    expect(formatCounts(sum)).toBe('11 passed, 22 failed, 33 skipped');
  });
});
