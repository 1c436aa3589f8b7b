import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readReport } from './test-counts.mjs';

const LONGEST_REASON = 300;

/**
 * The failed tests in a JSON report of Vitest, each with its file and the first line of its reason.
 * @param {string} path
 * @param {string} root
 * @returns {string[]}
 */
export function listFailedVitest(path, root) {
  /**
   * @type {{
   *   name: string, status: string, message?: string,
   *   assertionResults: { status: string, ancestorTitles: string[], title: string, failureMessages?: string[] }[]
   * }[]}
   */
  const files = readReport(path)?.testResults ?? [];
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    if (status === 'failed' && assertionResults.length === 0) {
      return [withReason(`${file} (could not be loaded)`, message)];
    }
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ ancestorTitles, title, failureMessages }) =>
        withReason([file, ...ancestorTitles, title].join(' › '), failureMessages?.[0]),
      );
  });
}

/**
 * @param {string} name
 * @param {string | undefined} message
 */
function withReason(name, message) {
  const [line = ''] = stripVTControlCharacters(message ?? '')
    .trim()
    .split('\n');
  return line === '' ? name : `${name}: ${line.slice(0, LONGEST_REASON)}`;
}

/**
 * @typedef {{ title: string, ok: boolean, tests?: { results: { error?: { message?: string } }[] }[] }} Spec
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
  const own = specs
    .filter(({ ok }) => !ok)
    .map((spec) => {
      const results = spec.tests?.flatMap((test) => test.results);
      return withReason(spec.title, results?.find(({ error }) => error)?.error?.message);
    });
  return [...own, ...suites.flatMap(listFailedSpecs)].map((name) => `${title} › ${name}`);
}
