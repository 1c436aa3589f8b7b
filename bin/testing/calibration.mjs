// A fixed amount of work like that of tests: objects, strings, sorting. Posts when it is done.
import { parentPort } from 'node:worker_threads';

const ROUNDS = 60;

for (let round = 1; round <= ROUNDS; round++) {
  const rows = Array.from({ length: 2000 }, (_, place) => ({
    ...{ id: `row_${place}`, at: (place * round) % 997, tags: ['a', 'b'] },
  }));
  JSON.parse(JSON.stringify(rows)).sort(
    (/** @type {{ at: number }} */ one, /** @type {{ at: number }} */ other) => one.at - other.at,
  );
}
parentPort?.postMessage('done');
