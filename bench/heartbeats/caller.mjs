// Calls heartbeat URLs in turns, at a steady rate.
import '../script.mjs';
import { leanClient, sendSteadily } from '../send.mjs';

const CONNECTIONS = 200;
let next = 0;

process.on('message', async ({ origin, paths, rate, seconds }) => {
  const send = leanClient(origin, CONNECTIONS);
  const begunAt = performance.now();
  const calls = await sendSteadily(() => send(paths[next++ % paths.length]), rate, seconds);
  process.send?.({ ...calls, seconds: (performance.now() - begunAt) / 1000 });
});

process.send?.('ready');
