import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Killed mutants that every pure area needs, in percent. */
export const THRESHOLD = 85;

/** The engine: its tests use PostgreSQL, so its report takes hours and has no threshold. */
export const ENGINE_FOLDER = 'lib/engine';

/**
 * The pure parts and their tests. They need neither a socket nor a database nor the time of day, so a test can hold everything that
 * they do, and a mutant that survives is a promise that no test holds. Their neighbors that connect or query are left out.
 * @type {Record<string, Area>}
 */
export const PURE_AREAS = {
  state: inFolder('lib/state'),
  net: merge(
    named('lib/platform/net', ['deadline', 'http-parser', 'net-error', 'target-policy']),
    named('lib/platform/net/icmp', ['icmp-packet']),
  ),
  webhooks: merge(
    named('lib/domain/webhooks', ['retry-schedule', 'sign']),
    inFolder('lib/domain/webhooks/formats'),
    named('lib/notify', ['message']),
    inFolder('lib/webhook-formats'),
    ...foldersIn('lib/webhook-formats').map((folder) => inFolder(folder)),
    inFolder('lib/schemas/webhooks'),
  ),
  pages: merge(
    named('lib/domain/status-pages', ['page-status']),
    named('lib/domain/status-pages/public', ['write-calendar']),
  ),
  context: named('lib/domain/context', ['newest-first', 'permissions']),
};

/** @typedef {{ files: string[], tests: string[] }} Area */

/**
 * All files of a folder. Tests with random stories are left out: they take seconds per mutant, and what they kill changes from run
 * to run.
 * @param {string} folder
 * @returns {Area}
 */
function inFolder(folder) {
  const names = readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)));
  const paths = names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
  const isTest = (/** @type {string} */ path) => path.endsWith('.test.ts');
  return {
    files: paths.filter((path) => !isTest(path)),
    tests: paths.filter((path) => isTest(path) && !path.endsWith('.properties.test.ts')),
  };
}

/**
 * The folders of a folder with code.
 * @param {string} folder
 */
function foldersIn(folder) {
  const entries = readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)), {
    withFileTypes: true,
  });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => `${folder}/${name}`);
}

/**
 * Some files of a folder, each with its own test.
 * @param {string} folder
 * @param {string[]} names
 * @returns {Area}
 */
function named(folder, names) {
  return {
    files: names.map((name) => `${folder}/${name}.ts`),
    tests: names.map((name) => `${folder}/${name}.test.ts`),
  };
}

/** @param {Area[]} areas */
function merge(...areas) {
  return { files: areas.flatMap(({ files }) => files), tests: areas.flatMap(({ tests }) => tests) };
}
