import { TEST_MS } from './patience.mjs';

/** Longer than any test may take. */
const QUIET_MS = 1.6 * TEST_MS;

/**
 * Ends a run of Vitest in which nothing has happened for a while, and names the files that were running. A loop that never ends also stops the
 * timers of its process, so neither it nor its time limits would ever be reported.
 */
export default class StalledReporter {
  #quietMs;
  /** @type {Map<string, string>} The files that have begun, with their last test. */
  #running = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {{ quietMs?: number }} [options] */
  constructor({ quietMs = QUIET_MS } = {}) {
    this.#quietMs = quietMs;
  }

  onTestRunStart() {
    this.#restart();
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleQueued({ moduleId }) {
    this.#running.set(moduleId, 'loading, or before its first test');
    this.#restart();
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseReady({ module, fullName }) {
    this.#running.set(module.moduleId, fullName);
    this.#restart();
  }

  onTestCaseResult() {
    this.#restart();
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd({ moduleId }) {
    this.#running.delete(moduleId);
    this.#restart();
  }

  onTestRunEnd() {
    clearTimeout(this.#timer);
  }

  #restart() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      console.error(`\nNothing has happened in the tests for ${this.#quietMs / 1000} s. Still running:`);
      for (const [file, test] of this.#running) console.error(`  ${file}: ${test}`);
      process.exit(1);
    }, this.#quietMs);
  }
}
