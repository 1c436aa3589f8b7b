import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { waitFor } from '@/lib/testing/wait-for';

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const certificate = pathOf('lib/platform/net/testing/self-signed.pem');
const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** A real nginx with docs/deploy/nginx.conf, whose ports and files are those of this test. */
describe.skipIf(!hasNginx)('nginx with our configuration (skipped where nginx is not installed)', () => {
  let respond: RequestListener = (_, response) => void response.end();
  let upstream: HttpListener;
  let stop: () => Promise<void>;
  let ports: { http: number; https: number };

  beforeAll(async () => {
    upstream = await listenLocally(createServer((incoming, response) => respond(incoming, response)));
    ports = { http: await findFreePort(), https: await findFreePort() };
    const server = readFileSync(pathOf('docs/deploy/nginx.conf'), 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`)
      .replace(/\/etc\/letsencrypt\/\S+(?=;)/g, certificate)
      .replace('http://127.0.0.1:3000', upstream.url);
    const folder = mkdtempSync(join(tmpdir(), 'pharos-nginx-'));
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
       events {} http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi; ${server} }`,
    );
    const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    stop = async () => {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
      await upstream.close();
      rmSync(folder, { recursive: true });
    };
    await waitFor(() => ask('/'));
  });
  afterAll(() => stop());

  /** Sends a request through nginx, as a browser would to pharos.example.com. */
  async function ask(
    path: string,
    { body = '', headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ) {
    const call = secureRequest({
      host: '127.0.0.1',
      port: ports.https,
      path,
      method: body === '' ? 'GET' : 'POST',
      rejectUnauthorized: false,
      headers: { host: 'pharos.example.com', ...headers },
    });
    call.end(body);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return { response, status: response.statusCode };
  }

  it('tells who the visitor is and which address they used, and believes nobody who claims to be another', async () => {
    let seen: IncomingMessage['headers'] = {};
    respond = ({ headers }, response) => {
      seen = headers;
      response.end();
    };
    const { response } = await ask('/', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    response.resume();
    expect(seen).toMatchObject({
      host: 'pharos.example.com',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    });
  });

  it('passes each part of a live response on at once', async () => {
    let more: (text: string) => void = () => undefined;
    respond = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      more = (text) => void response.write(text);
      more('first');
    };
    const { response } = await ask('/live');
    const [first] = await once(response, 'data');
    expect(String(first)).toBe('first');
    more('second');
    const [second] = await once(response, 'data');
    expect(String(second)).toBe('second');
    response.destroy();
  });

  it('leaves the size of bodies to Pharos', async () => {
    let received = 0;
    respond = (incoming, response) => {
      incoming.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      incoming.on('end', () => response.end());
    };
    const { response, status } = await ask('/', { body: 'x'.repeat(3_000_000) });
    response.resume();
    expect([status, received]).toEqual([200, 3_000_000]);
  });

  it('leads from http to https', async () => {
    const call = request({
      host: '127.0.0.1',
      port: ports.http,
      path: '/status/acme?a=1',
      headers: { host: 'pharos.example.com' },
    }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    expect([response.statusCode, response.headers.location]).toEqual([
      308,
      'https://pharos.example.com/status/acme?a=1',
    ]);
  });
});
