import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import {
  findClosedPort,
  serveBytes,
  serveHttp,
  serveHttps,
  serveTcp,
} from '@/lib/platform/net/testing/servers';
import { waitFor } from '@/lib/testing/wait-for';
import { probe } from './probe';
import { createTarget, openEnvironment } from './testing/target';

it('hundreds of failing checks leave no handle behind', async () => {
  const silent = await serveTcp();
  const resetting = await serveTcp((socket) => socket.resetAndDestroy());
  const endless = await serveHttp((_request, response) => response.write(Buffer.alloc(2 * 1024 * 1024)));
  const dripping = await serveHttp((_request, response) => response.write('a'));
  const garbage = await serveBytes('garbage');
  const expired = await serveHttps('expired');
  const mute = await serveDns(() => null);
  const closed = await findClosedPort();
  const targets = [
    createTarget('http', silent.url, { timeout: 0.2 }),
    createTarget('http', silent.url.replace('http', 'https'), { timeout: 0.2 }),
    createTarget('http', resetting.url),
    createTarget('http', endless.url),
    createTarget('http', dripping.url, { timeout: 0.2 }),
    createTarget('http', garbage.url),
    createTarget('http', expired.url),
    createTarget('tcp', `127.0.0.1:${closed}`),
    createTarget('dns', `dns://${mute.server}/a.test`, { timeout: 0.2 }),
    createTarget('ping', 'a.test', { timeout: 0.2 }),
  ];
  const stop = new AbortController();
  const env = { ...openEnvironment, signal: stop.signal, resolver: async () => [] };
  const ours = () =>
    process.getActiveResourcesInfo().filter((name) => /TCP|TLS|UDP|Timeout|Req/i.test(name)).length;

  await setImmediate();
  const before = ours();
  const four = [...targets, ...targets, ...targets, ...targets];
  for (let round = 0; round < sized(5, { thorough: 25 }); round += 1)
    await Promise.all(four.map((target) => probe(target, env)));
  // The servers' own ends of the connections close a moment later.
  await waitFor(() => expect(ours()).toBeLessThanOrEqual(before));
});
