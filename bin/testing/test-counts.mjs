import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * The counts in a JSON report of Vitest. A file that could not be loaded, or failed outside its tests, counts as one failed test.
 * @param {string} path
 * @returns {Counts}
 */
export function countVitest(path) {
  const report = readReport(path);
  /** @type {{ status: string, assertionResults: { status: string }[] }[]} */
  const files = report?.testResults ?? [];
  const broken = files.filter(isBroken);
  return {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + broken.length,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

/**
 * Whether a file of a report of Vitest failed, but none of its tests: it could not be loaded, or failed outside them.
 * @param {{ status: string, assertionResults: { status: string }[] }} file
 */
export function isBroken({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

/**
 * The counts in a JSON report of Playwright.
 * @param {string} path
 * @returns {Counts}
 */
export function countPlaywright(path) {
  const stats = readReport(path)?.stats;
  return {
    passed: stats?.expected ?? 0,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped ?? 0,
  };
}

/**
 * @param {Counts[]} counts
 * @returns {Counts}
 */
export function addCounts(counts) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of counts) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/**
 * The last line of `npm test`.
 * @param {Counts} counts
 * @returns {string}
 */
export function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * A JSON report.
 * @param {string} path
 * @returns {any} null if there is no report
 */
export function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}
