import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The variable that hands the factor of a run on to its processes. */
const VARIABLE = 'TEST_PATIENCE';
/** As many as test files run at the same time. */
const THREADS = 3;
const ROUNDS = 60;
/** What the calibration takes on two quiet cores of 2023, in milliseconds. */
const USUAL_MS = 650;
/** For a run that measured nothing, such as `npx playwright test`. */
const UNMEASURED = 3;
const MAX_FACTOR = 30;

/**
 * How many times as long as on two quiet cores work takes on this machine now, with its neighbors: at least 1. Takes about a second.
 * @returns {Promise<number>}
 */
export async function measureSlowness() {
  const begun = performance.now();
  const program = `(${calibrate})(${ROUNDS})`;
  const workers = Array.from({ length: THREADS }, () => new Worker(program, { eval: true }));
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  const slowness = (performance.now() - begun) / USUAL_MS;
  return Math.round(Math.min(Math.max(slowness, 1), MAX_FACTOR) * 10) / 10;
}

/**
 * Work like that of tests: objects, texts, sorting. Runs as text, in other threads.
 * @param {number} rounds
 */
function calibrate(rounds) {
  for (let round = 1; round <= rounds; round++) {
    const rows = Array.from({ length: 2000 }, (_, place) => {
      return { id: `row_${place}`, at: (place * round) % 997, tags: ['a', 'b'] };
    });
    const copy = /** @type {typeof rows} */ (JSON.parse(JSON.stringify(rows)));
    copy.sort((one, other) => one.at - other.at);
  }
}

/**
 * Measures by how much tests of this run are more patient, says so, and returns the environment of their processes. A factor that is set
 * already stays.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function withPatience(environment) {
  if (environment[VARIABLE]) return environment;
  const factor = await measureSlowness();
  console.log(`Patience × ${factor}: how much slower this machine is now than two quiet cores.`);
  return { ...environment, [VARIABLE]: String(factor) };
}

/**
 * How long tests of this run wait before they give up: only for what would never happen. `ms` is for two quiet cores, and generous.
 * @param {number} ms
 * @returns {number} milliseconds
 */
export function patience(ms) {
  const factor = Number(process.env[VARIABLE]);
  return Math.round(ms * (factor >= 1 && factor <= MAX_FACTOR ? factor : UNMEASURED));
}

/** A test, or what prepares one. The longest takes a minute and a half. */
export const TEST_MS = patience(300_000);
/** What a test waits for. */
export const WAIT_MS = patience(60_000);
