import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient } from '@/e2e/support/api-client';
import { runPharos } from '@/e2e/support/run-pharos';
import { type Service, startService } from '@/e2e/support/start-service';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { startTarget, type Target } from '@/lib/testing/target';
import { PEER_HEADER } from '@/lib/web/http/address/request-address';
import { callPharos } from './testing/call-pharos';
import { expectToStop, pidsOf } from './testing/running-service';

let folder: string;
let dataDir: string;
let service: Service;
let target: Target;

beforeAll(async () => {
  folder = await createOpenFolder('pharos-start-');
  dataDir = join(folder, 'data');
  target = await startTarget();
  service = await startService({ dataDir });
});

afterAll(async () => {
  await service?.stop();
  await target?.close();
  await rm(folder, { recursive: true, force: true });
});

async function createApiKey(): Promise<string> {
  const owner = ['--email', 'owner@example.com', '--password', 'correct horse'];
  const { stdout } = await callPharos(['org', 'create', '--name', 'Acme', ...owner], { DATA_DIR: dataDir });
  return JSON.parse(stdout).apiKey;
}

describe('the setup page of a new installation', () => {
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
    const { port } = new URL(service.url);
    const { stdout } = await callPharos(['setup-link'], { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: port });
    const { pathname, search } = new URL(JSON.parse(stdout).url);
    expect(search).toBe(new URL(service.setupUrl).search);
    expect(await isOpenFor(pathname + search)).toBe(true);
  });
});

describe('pharos start', () => {
  it('locks DATA_DIR: another start reports it and exits 1', async () => {
    const { code, stderr } = await runPharos(['start'], { DATA_DIR: dataDir, PORT: '4999' });
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(new RegExp(`^another Pharos \\(pid ${service.pid}\\) is using DATA_DIR`));
  });

  it('restarts killed worker and web processes, and keeps working', async () => {
    const apiKey = await createApiKey();
    const api = createApiClient(service.url, apiKey);
    const [worker = 0] = pidsOf(service, 'worker').slice(-1);
    const [web = 0] = pidsOf(service, 'web').slice(-1);
    process.kill(worker, 'SIGKILL');
    process.kill(web, 'SIGKILL');
    await expect.poll(() => pidsOf(service, 'worker').at(-1)).not.toBe(worker);
    await expect.poll(() => pidsOf(service, 'web').at(-1)).not.toBe(web);
    const { body } = await api('POST', '/monitors', { name: 'After', url: target.url });
    const readStatus = async () => (await api('GET', `/monitors/${body.id}`)).body.status;
    await expect.poll(readStatus).toBe('operational');
  });

  it('stops everything on SIGTERM', () => expectToStop(service, 'SIGTERM'));
});
