// An organization that uses the API, and the visitors of its status page, in a process of their own: what attackers do to the benchmark
// is not measured as a wait. Each message says with what and how long; the response is the times.
import '../script.mjs';
import { clientAt, sendSteadily } from '../send.mjs';

process.on(
  'message',
  async (/** @type {import('./main').Use} */ { origin, apiKey, slug, seconds, rates }) => {
    const send = clientAt(origin, '127.0.0.2');
    const headers = { authorization: `Bearer ${apiKey}` };
    const [api, pages] = await Promise.all([
      sendSteadily(() => send({ path: '/api/monitors?limit=50', headers }), rates.api, seconds),
      sendSteadily(() => send({ path: `/status/${slug}` }), rates.pages, seconds),
    ]);
    process.send?.({ api, pages });
  },
);
process.send?.('ready');
