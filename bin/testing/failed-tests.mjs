import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isBroken, readReport } from './test-counts.mjs';

const MAX_REASON_LENGTH = 300;
/** Playwright names what it looked for, expected and received on the lines below the first. */
const MAX_REASON_LINES = 5;

/**
 * The failed tests in a JSON report of Vitest, each with its file and the beginning of its reason.
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
  return files.flatMap((each) => {
    const { name, message, assertionResults } = each;
    const file = relative(root, name);
    if (isBroken(each)) {
      const problem = assertionResults.length === 0 ? 'could not be loaded' : 'failed outside its tests';
      return [withReason(`${file} (${problem})`, message)];
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
 * @param {unknown} message
 */
function withReason(name, message) {
  const lines = stripVTControlCharacters(typeof message === 'string' ? message : '')
    .split(/\r?\n/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
    .filter((line) => line !== '');
  const stackAt = lines.findIndex((line) => line.startsWith('at '));
  const reason = lines.slice(0, stackAt === -1 ? MAX_REASON_LINES : Math.min(stackAt, MAX_REASON_LINES));
  return reason.length === 0 ? name : `${name}: ${reason.join(' · ').slice(0, MAX_REASON_LENGTH)}`;
}

/**
 * @typedef {{ title: string, ok: boolean, tests?: { results?: { error?: { message?: string, value?: string } }[] }[] }} Spec
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
      const errors = spec.tests?.flatMap(({ results = [] }) => results.flatMap(({ error }) => error ?? []));
      return withReason(spec.title, errors?.[0]?.message ?? errors?.[0]?.value);
    });
  return [...own, ...suites.flatMap(listFailedSpecs)].map((name) => `${title} › ${name}`);
}
