import { relative } from 'node:path';
import { readReport } from './test-counts.mjs';

/**
 * The failed tests in a JSON report of Vitest, each with its file.
 * @param {string} path
 * @param {string} root
 * @returns {string[]}
 */
export function listFailedVitest(path, root) {
  /** @type {{ name: string, status: string, assertionResults: { status: string, ancestorTitles: string[], title: string }[] }[]} */
  const files = readReport(path)?.testResults ?? [];
  return files.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    if (status === 'failed' && assertionResults.length === 0) return [`${file} (could not be loaded)`];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ ancestorTitles, title }) => [file, ...ancestorTitles, title].join(' › '));
  });
}

/**
 * @typedef {{ title: string, ok: boolean }} Spec
 * @typedef {{ title: string, suites?: Suite[], specs?: Spec[] }} Suite
 */

/**
 * The same in a JSON report of Playwright.
 * @param {string} path
 * @returns {string[]}
 */
export function listFailedPlaywright(path) {
  /** @type {Suite[]} */
  const files = readReport(path)?.suites ?? [];
  return files.flatMap(listFailedSpecs);
}

/**
 * @param {Suite} suite
 * @returns {string[]}
 */
function listFailedSpecs({ title, suites = [], specs = [] }) {
  const own = specs.filter(({ ok }) => !ok).map((spec) => spec.title);
  return [...own, ...suites.flatMap(listFailedSpecs)].map((name) => `${title} › ${name}`);
}
