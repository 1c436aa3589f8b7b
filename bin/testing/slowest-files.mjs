import { relative } from 'node:path';
import { readReport } from './test-counts.mjs';

/** @typedef {{ file: string, seconds: number }} Timed */

const MAX_LISTED = 10;

/**
 * How long each file took, in a JSON report of Vitest. Several run at a time.
 * @param {string} path
 * @param {string} root
 * @returns {Timed[]}
 */
export function timeVitest(path, root) {
  /** @type {{ name: string, startTime: number, endTime: number }[]} */
  const files = readReport(path)?.testResults ?? [];
  return files.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
}

/** @typedef {{ file: string, suites?: Suite[], specs?: { tests: { results: { duration: number }[] }[] }[] }} Suite */

/**
 * The same in a JSON report of Playwright.
 * @param {string} path
 * @returns {Timed[]}
 */
export function timePlaywright(path) {
  /** @type {Suite[]} */
  const files = readReport(path)?.suites ?? [];
  return files.map((suite) => ({ file: suite.file, seconds: timeSuite(suite) / 1000 }));
}

/**
 * @param {Suite} suite
 * @returns {number} milliseconds
 */
function timeSuite({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const own = results.reduce((sum, { duration }) => sum + duration, 0);
  return suites.reduce((sum, suite) => sum + timeSuite(suite), own);
}

/**
 * The files that took longest, a line each.
 * @param {Timed[]} files
 * @returns {string}
 */
export function formatSlowest(files) {
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, MAX_LISTED)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    .join('\n');
}
