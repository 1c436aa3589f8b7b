// Calls heartbeat URLs in turns, at a steady rate.
import '../script.mjs';
import { clientAt, sendSteadily } from '../send.mjs';

const CONNECTIONS = 200;
let next = 0;

process.on('message', async ({ origin, paths, rate, seconds }) => {
  const send = clientAt(origin, '127.0.0.1', CONNECTIONS);
  const begunAt = performance.now();
  const calls = await sendSteadily(() => send({ path: paths[next++ % paths.length] }), rate, seconds);
  process.send?.({ ...calls, seconds: (performance.now() - begunAt) / 1000 });
});

process.send?.('ready');
