import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** @typedef {Record<string, string | undefined>} Environment */

/** Debian's package and program. Without windows to draw, it needs half as much of the processor as Chromium itself. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ADVICE =
  'install Chromium (or run `npx playwright install chromium`), or set CHROMIUM_PATH to the program';

/**
 * An installed Chromium: CHROMIUM_PATH, the system's headless shell, Playwright's or the system's, in this order; null if there
 * is none. Throws if CHROMIUM_PATH is not a program.
 * @param {Environment} environment
 * @returns {string | null}
 */
export function findBrowser(environment) {
  const named = environment.CHROMIUM_PATH;
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH: ${named} is not an executable program`);
  }
  const inPath = (/** @type {string[]} */ ...names) => names.flatMap((name) => findInPath(name, environment));
  return (
    [...inPath(HEADLESS_SHELL), chromium.executablePath(), ...inPath(...SYSTEM_NAMES)].find(isProgram) ?? null
  );
}

/**
 * `findBrowser`, after installing Debian's headless shell (as root, with apt-get) unless CHROMIUM_PATH is set or it is there.
 * Throws an error that explains what to do if there is no browser at all.
 * @param {Environment} environment
 * @returns {string}
 */
export function findOrInstallBrowser(environment) {
  const canInstall = process.getuid?.() === 0 && findInPath('apt-get', environment).length > 0;
  const isWanted = !environment.CHROMIUM_PATH && findInPath(HEADLESS_SHELL, environment).length === 0;
  if (isWanted && canInstall) installHeadlessShell();
  const browser = findBrowser(environment);
  if (browser) return browser;
  throw new Error(`no browser found for the end-to-end tests: ${ADVICE}`);
}

function installHeadlessShell() {
  console.log(`installing ${HEADLESS_SHELL} with apt-get`);
  for (const words of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', HEADLESS_SHELL, 'fonts-liberation'],
  ]) {
    const { status, stdout, stderr } = spawnSync('apt-get', words, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status === 0) continue;
    // Another browser may be installed.
    console.error(`${stdout}${stderr}\napt-get ${words[0]} failed`);
    return;
  }
}

/**
 * The programs of a name in the folders of PATH.
 * @param {string} name
 * @param {Environment} environment
 */
function findInPath(name, environment) {
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).filter(isProgram);
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
