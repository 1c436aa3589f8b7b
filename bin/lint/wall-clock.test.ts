import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readSourceFiles } from './source-files.mjs';
import { findWallClock } from './wall-clock.mjs';

const isTest = (path: string) => /\.(test|spec)\.tsx?$|\/testing\/|^e2e\//.test(path);
/** Tests of how long to wait. */
const OWN = ['bin/testing/', 'bin/lint/wall-clock.test.ts', 'lib/testing/wait-for.ts'];

it('no test asserts how long something takes, or says how long it waits', () => {
  const files = [...readSourceFiles(fileURLToPath(new URL('../..', import.meta.url)))].filter(([path]) =>
    isTest(path),
  );
  expect(files.length).toBeGreaterThan(700);
  const checked = files.filter(([path]) => !OWN.some((own) => path.startsWith(own)));
  expect(checked.flatMap(([path, text]) => findWallClock(path, text))).toEqual([]);
});

const ASSERTS = 'asserts how long something takes: count, hand in a clock, or move it to a benchmark';
const WAITS = 'says how long to wait: that is up to bin/testing/patience.mjs';

it.each([
  ['a difference', 'const begun = performance.now();\nexpect(performance.now() - begun).toBeLessThan(500);'],
  [
    'a name for it',
    'const begun = Date.now();\nconst took = Date.now() - begun; expect(took).toBeLessThan(500);',
  ],
  [
    'the larger one',
    'const begun = new Date();\nexpect(500).toBeGreaterThan(new Date().getTime() - begun.getTime());',
  ],
  [
    'what a function measures',
    'const time = async () => { const at = performance.now(); await act(); return (performance.now() - at) / 1000; };\nexpect(await time()).toBeLessThanOrEqual(3 * (await time()));',
  ],
  [
    'what was noted elsewhere',
    'server.on("request", () => { seen.push({ receivedAt: Date.now() }); }); const begun = Date.now();\nexpect((seen.at(-1)?.receivedAt ?? 0) - begun).toBeLessThan(500);',
  ],
  [
    'a list of them',
    'const looks = []; const begun = Date.now(); looks.push(Date.now() - begun); const [first = 0, second = 0] = looks;\nexpect(Math.max(...looks, second - first)).toBeLessThan(500);',
  ],
  [
    'what the product measured',
    'const result = await check();\nexpect(result.responseTime).toBeLessThan(500);',
  ],
])('an upper bound of a duration is found: %s', (_, text) => {
  expect(findWallClock('a.test.ts', text)).toEqual([`a.test.ts:2 ${ASSERTS}`]);
});

it.each([
  "it('ends', async () => {}, 60_000);",
  "it.each([1])('ends %d', { timeout: 20_000 }, () => {});",
  'beforeAll(() => start(), 120_000);',
  'test.setTimeout(240_000);',
  'await expect.poll(read, { timeout: 5000, interval: 10 }).toBe(1);',
  'await expect(row).toBeVisible({ timeout: 5000 });',
  'await vi.waitFor(look);',
  'await receiver.waitFor(isDown, 15_000);',
])('a limit of its own is found: %s', (text) => {
  expect(findWallClock('a.test.ts', text)).toEqual([`a.test.ts:1 ${WAITS}`]);
});

it.each([
  [
    'a lower bound',
    'const begun = performance.now();\nexpect(performance.now() - begun).toBeGreaterThan(990);',
  ],
  ['the order of moments', 'const before = Date.now();\nexpect(before).toBeLessThanOrEqual(Date.now());'],
  [
    'processor time',
    'const before = process.cpuUsage();\nexpect(process.cpuUsage(before).user).toBeLessThan(500);',
  ],
  ['a clock that is handed in', 'const begun = clock.now();\nexpect(clock.now() - begun).toBeLessThan(500);'],
  ['a count', 'const count = 5;\nexpect(requests.length).toBeLessThan(count);'],
  ['the timeout of a monitor', 'expect(monitor).toMatchObject({ url, timeout: 30 });'],
  [
    'a limit of the run',
    "it('ends', async () => {}); await expect(row).toBeVisible({ timeout: 3 * WAIT_MS });",
  ],
])('is allowed: %s', (_, text) => {
  expect(findWallClock('a.test.ts', text)).toEqual([]);
});
