import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** @typedef {Record<string, string | undefined>} Environment */

/** The first needs a third of the processor's time of the others: it has no parts that only windows need. */
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
/** For each command; a machine without a network does not wait longer. */
const INSTALL_MS = 180_000;
const ADVICE =
  'install Chromium (or run `npx playwright install chromium`), or set CHROMIUM_PATH to the program';

/**
 * An installed Chromium: CHROMIUM_PATH, Playwright's or the system's, in this order; null if there is none. Throws if
 * CHROMIUM_PATH is not a program.
 * @param {Environment} environment
 * @returns {string | null}
 */
export function findBrowser(environment) {
  const named = environment.CHROMIUM_PATH;
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH: ${named} is not an executable program`);
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [chromium.executablePath(), ...candidates].find(isProgram) ?? null;
}

/**
 * `findBrowser`, or else installs Debian's package (as root, with apt-get). Throws an error that explains what to do if
 * that is not possible.
 * @param {Environment} environment
 * @returns {string}
 */
export function findOrInstallBrowser(environment) {
  const existing = findBrowser(environment);
  if (existing) return existing;
  if (process.getuid?.() !== 0 || !hasAptGet(environment)) {
    throw new Error(`no browser found for the end-to-end tests: ${ADVICE}`);
  }
  installChromium();
  const installed = findBrowser(environment);
  if (installed) return installed;
  throw new Error(`apt-get installed no working chromium: ${ADVICE}`);
}

/** Not every system has a package of the headless shell. */
function installChromium() {
  console.log('no browser found: installing chromium with apt-get');
  runAptGet('update', '-q');
  try {
    installPackages('chromium-headless-shell', 'fonts-liberation');
  } catch {
    installPackages('chromium', 'fonts-liberation');
  }
}

/** @param {string[]} names */
function installPackages(...names) {
  runAptGet('install', '-y', '-q', '--no-install-recommends', ...names);
}

/** @param {string[]} words */
function runAptGet(...words) {
  const { status, stdout, stderr } = spawnSync('apt-get', words, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: INSTALL_MS,
  });
  if (status === 0) return;
  console.error(`${stdout}${stderr}`);
  throw new Error(`apt-get ${words[0]} failed: ${ADVICE}`);
}

/** @param {Environment} environment */
function hasAptGet(environment) {
  return (environment.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, 'apt-get')));
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
