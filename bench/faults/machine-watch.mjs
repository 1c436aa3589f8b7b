// Runs in a thread of its own, which has nothing else to do: a timer that is late was late because of the machine. Posts how
// many milliseconds each stall took.
import { parentPort } from 'node:worker_threads';

const EVERY_MS = 10;
/** A twentieth of a first retry at factor 20, the strictest of all times that are judged. */
const STALL_MS = 150;

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  const ms = now - last;
  last = now;
  if (ms > STALL_MS) parentPort?.postMessage(ms);
}, EVERY_MS);
