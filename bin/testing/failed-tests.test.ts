import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listFailedPlaywright, listFailedVitest } from './failed-tests.mjs';

async function write(report: object): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'failed-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'report.json');
  await writeFile(path, JSON.stringify(report));
  return path;
}

it('failed tests of Vitest are named with their files and reasons, and so are files that could not be loaded', async () => {
  const path = await write({
    testResults: [
      {
        name: '/project/lib/a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', ancestorTitles: ['a list'], title: 'is short' },
          {
            status: 'failed',
            ancestorTitles: ['a list', 'of monitors'],
            title: 'is sorted',
            failureMessages: [
              '\u001b[31mAssertionError\u001b[39m: expected 1 to be +0\n    at a.test.ts:3:1',
            ],
          },
        ],
      },
      {
        name: '/project/app/b.test.ts',
        status: 'failed',
        message: "Cannot find './a'",
        assertionResults: [],
      },
      { name: '/project/app/c.test.ts', status: 'passed', assertionResults: [] },
      {
        name: '/project/app/d.test.ts',
        status: 'failed',
        message: 'Error: no port\r\n    at d.test.ts:1:1',
        assertionResults: [{ status: 'skipped', ancestorTitles: [], title: 'is served' }],
      },
    ],
  });
  expect(listFailedVitest(path, '/project')).toEqual([
    'lib/a.test.ts › a list › of monitors › is sorted: AssertionError: expected 1 to be +0',
    "app/b.test.ts (could not be loaded): Cannot find './a'",
    'app/d.test.ts (failed outside its tests): Error: no port',
  ]);
});

it('failed tests of Playwright are named with their files and reasons', async () => {
  const good = { title: 'opens', ok: true };
  const bad = { title: 'closes', ok: false };
  const late = {
    title: 'loads',
    ok: false,
    tests: [
      {
        results: [
          { error: { message: 'Error: expect(page).toHaveURL failed\n\nExpected: 1\u0007\nReceived: 2' } },
        ],
      },
    ],
  };
  const path = await write({
    suites: [
      { title: 'list.spec.ts', specs: [good, bad], suites: [{ title: 'on a phone', specs: [bad] }] },
      { title: 'form.spec.ts', specs: [good, late] },
    ],
  });
  expect(listFailedPlaywright(path)).toEqual([
    'list.spec.ts › closes',
    'list.spec.ts › on a phone › closes',
    'form.spec.ts › loads: Error: expect(page).toHaveURL failed · Expected: 1 · Received: 2',
  ]);
});

it('a step without a report has no failed tests', () => {
  expect([listFailedVitest('/none.json', '/'), listFailedPlaywright('/none.json')]).toEqual([[], []]);
});
