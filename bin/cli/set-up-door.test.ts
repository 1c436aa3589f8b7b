import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '@/e2e/support/start-service';
import { childEnvironment } from '@/lib/env';
import { PEER_HEADER } from '@/lib/web/http/address/request-address';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../pharos.mjs', import.meta.url));

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

/** Whether a visitor from this machine sees the setup form. */
async function isOpenFor(path: string, headers: Record<string, string> = {}): Promise<boolean> {
  const page = await new Promise<string>((resolve, reject) => {
    const { port } = new URL(service.url);
    request(
      { host: '127.0.0.1', port, path, headers: { host: `localhost:${port}`, ...headers } },
      (response) => resolve(text(response)),
    )
      .on('error', reject)
      .end();
  });
  return page.includes('name="password"');
}

describe('the setup page of a new installation', () => {
  it('opens with the token, through a proxy too', async () => {
    const { pathname, search } = new URL(service.setupUrl);
    expect(await isOpenFor(pathname + search)).toBe(true);
    expect(await isOpenFor(pathname + search, { 'x-forwarded-for': '203.0.113.7' })).toBe(true);
  });

  it.each([
    ['comes from this machine, or through a proxy on it that sends no forwarding header', {}],
    ['comes through a proxy on the machine', { 'x-forwarded-for': '203.0.113.7' }],
    ['comes through a proxy that sends Forwarded', { forwarded: 'for=203.0.113.7' }],
    ['uses a foreign host name (DNS rebinding)', { host: 'evil.example.com' }],
    ['forges its own peer address', { 'x-forwarded-for': '127.0.0.1', [PEER_HEADER]: '127.0.0.1' }],
  ])('stays closed for a visitor without a token who %s', async (_, headers) => {
    expect(await isOpenFor('/setup', headers)).toBe(false);
    expect(await isOpenFor('/setup?token=guess', headers)).toBe(false);
  });

  it('opens with the link from "pharos setup-link"', async () => {
    const { stdout } = await run(process.execPath, [program, 'setup-link'], {
      env: childEnvironment({
        DATA_DIR: service.dataDir,
        HOST: '127.0.0.1',
        PORT: new URL(service.url).port,
        LOG_LEVEL: 'silent',
      }),
    });
    const { url } = JSON.parse(stdout) as { url: string };
    expect(new URL(url).search).toBe(new URL(service.setupUrl).search);
    const { pathname, search } = new URL(url);
    expect(await isOpenFor(pathname + search)).toBe(true);
  });
});
