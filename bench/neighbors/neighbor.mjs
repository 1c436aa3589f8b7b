// An organization that uses the API, and the visitors of its status page, in a process of their own: what attackers do to the benchmark
// is not measured as a wait. Each message is how long, with what, and is responded to with the times.
import { clientAt, sendSteadily } from './send.mjs';

/** Per second: below the rate limit of its plan. */
const API_RATE = 5;
const PAGE_RATE = 20;

process.on('message', async (/** @type {import('./main').Use} */ { origin, apiKey, slug, seconds }) => {
  const send = clientAt(origin, '127.0.0.2');
  const headers = { authorization: `Bearer ${apiKey}` };
  const [api, pages] = await Promise.all([
    sendSteadily(() => send({ path: '/api/monitors?limit=50', headers }), API_RATE, seconds),
    sendSteadily(() => send({ path: `/status/${slug}` }), PAGE_RATE, seconds),
  ]);
  process.send?.({ api, pages });
});
process.send?.('ready');
