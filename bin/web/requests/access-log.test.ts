import { once } from 'node:events';
import { get } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { noteCaller, runInRequest } from '@/lib/core/request-context';
import { listenLocally } from '@/lib/testing/http-listener';
import { createHttpServer } from '../http-server';
import { createAccessLog } from './access-log';
import { requestIdOf } from './request-id';

type Options = { mode: 'off' | 'errors' | 'on'; trustedProxies?: string[] };

/** A server that responds with the status in the query and the ID of the request, and never to `/endless`. */
async function serve({ mode, trustedProxies = [] }: Options) {
  const lines: { fields: Record<string, unknown>; message: string }[] = [];
  const info = (fields: Record<string, unknown>, message: string) => void lines.push({ fields, message });
  const accessLog = createAccessLog(mode, { info: info as ReturnType<typeof createLogger>['info'] });
  const server = createHttpServer(
    (request, response) => {
      const context = { requestId: requestIdOf(request) };
      accessLog?.(request, response, context);
      runInRequest(context, () => noteCaller({ organizationId: 'org_1', keyId: 'key_1' }));
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://localhost');
      response.writeHead(Number(searchParams.get('status') ?? 200));
      response.write(context.requestId);
      if (pathname !== '/endless') response.end();
    },
    { maxConnectionsPerAddress: 10, trustedProxies, log: createLogger('silent', 'test') },
  );
  const { url, close } = await listenLocally(server);
  onTestFinished(close);
  const read = async (path: string, requestId?: string) => {
    const headers = new Headers(requestId === undefined ? {} : { 'x-request-id': requestId });
    return (await fetch(`${url}${path}`, { headers })).text();
  };
  const paths = () => lines.map(({ fields }) => fields.path);
  return { url, lines, paths, read };
}

describe('the access log', () => {
  it('has a line for each request, without query and without what admits to an invitation', async () => {
    const { lines, read } = await serve({ mode: 'on' });
    await read('/api/monitors?token=secret');
    await read('/invitation/secret?status=404');
    await read('/_next/static/chunk.js');
    await read('/acknowledge/secret/more');
    await expect.poll(() => lines).toHaveLength(3);
    expect(lines[0]).toEqual({
      message: 'request',
      fields: {
        method: 'GET',
        path: '/api/monitors',
        status: 200,
        organizationId: 'org_1',
        keyId: 'key_1',
        durationMs: expect.any(Number),
        bytes: expect.any(Number),
      },
    });
    expect(Number(lines[0]?.fields.bytes)).toBeGreaterThan(36);
    expect(lines[1]?.fields).toMatchObject({ path: '/invitation/…', status: 404 });
    expect(lines[2]?.fields).toMatchObject({ path: '/acknowledge/…/more' });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('of errors has a status from 400, and requests whose client left', async () => {
    const { url, lines, paths, read } = await serve({ mode: 'errors' });
    await read('/fine');
    await read('/moved?status=304');
    await read('/wrong?status=400');
    await read('/broken?status=500');
    const request = get(`${url}/endless`);
    await once(request, 'response');
    request.destroy();
    await expect.poll(paths).toEqual(['/wrong', '/broken', '/endless']);
    expect(lines.at(-1)).toMatchObject({ message: 'request aborted', fields: { status: 200 } });
  });

  it('does not exist if it is off', () => {
    expect(createAccessLog('off', createLogger('silent', 'test'))).toBeNull();
  });
});

describe('the ID of a request', () => {
  const UUID = /^[0-9a-f-]{36}$/;

  it('is that of a trusted proxy, if it is valid', async () => {
    const { read } = await serve({ mode: 'off', trustedProxies: ['127.0.0.1'] });
    const ids = ['f058ebd6-02f7-4d3f-942e-904344e8cde5', 'a', 'Root=1-67891233-abcdef', 'b'.repeat(128)];
    for (const id of ids) expect(await read('/', id)).toBe(id);
    for (const id of ['', 'b'.repeat(129), 'two words', 'a,b', '"quoted"', '<b>']) {
      expect(await read('/', id)).toMatch(UUID);
    }
  });

  it('is new for anyone else', async () => {
    const { read } = await serve({ mode: 'off' });
    expect(await read('/', 'chosen')).toMatch(UUID);
    expect(await read('/')).toMatch(UUID);
  });
});
