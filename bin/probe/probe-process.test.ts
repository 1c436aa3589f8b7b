import { createServer, request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startWorker } from '@/e2e/support/start-worker';
import { awaitCheck, requestCheck } from '@/lib/domain/monitors/check-monitor';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { createProbeToken, revokeProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { listAllProbes } from '@/lib/domain/probes/list-probes';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { ExchangeError } from '@/lib/engine/remote/exchange';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { listenLocally } from '@/lib/testing/http-listener';
import { startTarget } from '@/lib/testing/target';
import { version } from '@/package.json';
import { createExchange } from './exchange';
import { serveProbes } from './testing/serve-probes';

const database = useTestDatabase();
const SOON = { interval: 200 };
const begin = () => serveProbes(database);

describe('pharos probe', () => {
  it('knows no database, runs what is due and what is requested in its region, and leaves it when it stops', async () => {
    const { ctx, url, token, tokenId, services } = await begin();
    const target = await startTarget();
    onTestFinished(target.close);
    const probe = await startWorker(
      { PHAROS_URL: url, PHAROS_PROBE_TOKEN: token, LOG_LEVEL: 'fatal' },
      'probe',
    );
    onTestFinished(probe.kill);
    const input = { name: 'Shop', url: target.url, regions: ['eu-west'] };
    const { id } = await createMonitor(ctx, createMonitorSchema.parse(input));
    await expect.poll(async () => (await getMonitor(ctx, id)).status, SOON).toBe('operational');
    const readWorkers = async () =>
      (await listRegions(ctx, { showsHosts: false })).find((region) => region.id === 'eu-west')?.workers;
    expect(await readWorkers()).toBe(1);
    const about = {
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      version,
      backlog: expect.any(Number),
    };
    expect(await listAllProbes(services)).toMatchObject([
      { region: 'eu-west', token: { id: tokenId }, isLive: true, ...about },
    ]);
    const readRate = async () => (await listAllProbes(services))[0]?.checksPerSecond;
    await expect.poll(readRate, SOON).toBeGreaterThan(0);

    const requested = await requestCheck(ctx, id);
    const { results, missing } = await awaitCheck(ctx, requested.id);
    expect([results.map(({ outcome }) => outcome), missing]).toEqual([['ok'], []]);
    const dryRun = await testMonitor(ctx, createMonitorSchema.parse(input));
    expect(dryRun).toMatchObject({ region: 'eu-west', outcome: 'ok', observed: { status: 200 } });

    await probe.stop();
    expect(await readWorkers()).toBe(0);
    expect(await listAllProbes(services)).toEqual([]);
    const owned = await database.db.$queryRaw`SELECT 1 FROM raw.shard_lease WHERE owner IS NOT NULL`;
    expect(owned).toEqual([]);
  });
});

describe('an exchange', () => {
  const instance = crypto.randomUUID();

  it('says why it is refused, and that asking again does not help', async () => {
    const { url, token, tokenId, services } = await begin();
    const exchange = createExchange({ url, token, instance });
    expect(await exchange.request('hello', {})).toMatchObject({ region: 'eu-west' });
    await revokeProbeToken(services, tokenId);
    const refusal = await exchange.request('hello', {}).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ExchangeError);
    expect(refusal).toMatchObject({
      refused: 'probe',
      message: expect.stringContaining('401: Send a valid probe token'),
    });
  });

  it.each([
    ['a service that is not there', 'http://127.0.0.1:9', 'cannot reach http://127.0.0.1:9'],
    ['something that is not Pharos', null, 'not from Pharos'],
  ])('with %s can be repeated', async (_, address, message) => {
    const other = createServer((_request, response) => void response.end('<html>'));
    const url = address ?? (await listenLocally(other)).url;
    onTestFinished(() => void other.close());
    const failure = await createExchange({ url, token: 'x', instance })
      .request('hello', {})
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ refused: null, message: expect.stringContaining(message) });
  });

  it('waits longer after each failure', async () => {
    let requests = 0;
    const other = createServer((_request, response) => {
      requests += 1;
      response.writeHead(503).end('{}');
    });
    const { url, close } = await listenLocally(other);
    onTestFinished(close);
    const exchange = createExchange({ url, token: 'x', instance });
    const begunAt = performance.now();
    while (performance.now() - begunAt < 2000)
      await expect(exchange.request('hello', {})).rejects.toThrow('responded with 503');
    expect(requests).toBeLessThan(8);

    const service = await begin();
    const working = createExchange({ url: service.url, token: service.token, instance });
    expect(await Promise.all(Array.from({ length: 20 }, () => working.readTime()))).toHaveLength(20);
  });

  it('passes through the proxy that the environment names', async () => {
    const { url, token } = await begin();
    const asked: string[] = [];
    const proxy = await listenLocally(
      createServer((request, response) => {
        asked.push(request.url ?? '');
        const { method, headers } = request;
        request.pipe(
          httpRequest(request.url ?? '', { method, headers }, (own) => {
            response.writeHead(own.statusCode ?? 0, own.headers);
            own.pipe(response);
          }),
        );
      }),
    );
    onTestFinished(proxy.close);
    const environment = {
      PHAROS_URL: url,
      PHAROS_PROBE_TOKEN: token,
      LOG_LEVEL: 'fatal',
      HTTP_PROXY: proxy.url,
    };
    const probe = await startWorker(environment, 'probe');
    await probe.stop();
    expect(asked).toContain(`${url}/probe/v1/register`);
  });

  it('counts the requests of a token, and what they carry, before a body is parsed', async () => {
    const { url, token, services } = await serveProbes(database, { requestsPerMinute: 5 });
    const { token: other } = await createProbeToken(services, { region: 'eu-west', name: 'Other' });
    const send = (by: string, body: string) =>
      fetch(`${url}/probe/v1/hello`, { method: 'POST', headers: { authorization: `Bearer ${by}` }, body });
    const hello = JSON.stringify({ instance, input: {} });
    expect([(await send(token, hello)).status, (await send(token, '{')).status]).toEqual([200, 400]);
    // Counts as one request, and as three more for its size.
    const large = await send(token, `{${' '.repeat(200_000)}`);
    expect([large.status, large.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await send(token, '{')).status).toBe(429);
    expect((await send(other, hello)).status).toBe(200);
    const failure = await createExchange({ url, token, instance })
      .request('hello', {})
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ refused: null });
  });

  it('accepts only POST, and bodies of at most 16 MiB', async () => {
    const { url, token } = await begin();
    const authorization = `Bearer ${token}`;
    expect((await fetch(`${url}/probe/v1/hello`, { headers: { authorization } })).status).toBe(405);
    const body = 'x'.repeat(17 * 1024 * 1024);
    const large = await fetch(`${url}/probe/v1/hello`, { method: 'POST', headers: { authorization }, body });
    expect(large.status).toBe(413);
    const broken = await fetch(`${url}/probe/v1/hello`, {
      method: 'POST',
      headers: { authorization },
      body: '{',
    });
    expect(broken.status).toBe(400);
    const bomb = await fetch(`${url}/probe/v1/hello`, {
      method: 'POST',
      headers: { authorization, 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')),
    });
    expect(bomb.status).toBe(413);
  });
});
