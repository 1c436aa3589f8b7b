import { expect, it } from 'vitest';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import { probe } from './probe';
import { createTarget, openEnvironment } from './testing/target';

/** Probes a server that responds to every request but its first one, while the process has been suspended as often as `counts` say. */
async function probeSuspended(counts: number[], mayBegin = true) {
  let requests = 0;
  const server = await serveHttp((_, response) => {
    requests += 1;
    if (requests > 1) response.end();
  });
  const result = await probe(createTarget('http', server.url, { timeout: 1 }), {
    ...openEnvironment,
    suspensions: { count: () => counts.shift() ?? 9 },
    beginAgain: () => mayBegin,
  });
  return { outcome: result.outcome, requests };
}

it('a check during which the process was suspended is repeated, and counts by what it then sees', async () => {
  expect(await probeSuspended([3, 4])).toEqual({ outcome: 'ok', requests: 2 });
});

it('a check fails as ever if there was no suspension while it ran', async () => {
  expect(await probeSuspended([3, 3])).toEqual({ outcome: 'failed', requests: 1 });
});

it('a check whose time is over by then is unknown', async () => {
  expect(await probeSuspended([3, 4], false)).toEqual({ outcome: 'unknown', requests: 1 });
});
