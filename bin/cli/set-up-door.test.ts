import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '@/e2e/support/start-service';
import { PEER_HEADER } from '@/lib/http/local-visit';

let service: Service;

beforeAll(async () => {
  service = await startService();
}, 120_000);
afterAll(() => service?.stop());

/** Whether a visitor from this machine is shown the set-up form. */
async function isLetIn(path: string, headers: Record<string, string> = {}): Promise<boolean> {
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

describe('the set-up page of a fresh install', () => {
  it('lets in who sits at the machine, and who has the token, through a proxy too', async () => {
    const { pathname, search } = new URL(service.setupUrl);
    expect(await isLetIn('/setup')).toBe(true);
    expect(await isLetIn(pathname + search, { 'x-forwarded-for': '203.0.113.7' })).toBe(true);
  });

  it.each([
    ['comes through a proxy on the machine', { 'x-forwarded-for': '203.0.113.7' }],
    ['comes through a proxy that says Forwarded', { forwarded: 'for=203.0.113.7' }],
    ['was led here by a foreign name (DNS rebinding)', { host: 'evil.example.com' }],
    ['says itself where it comes from', { 'x-forwarded-for': '127.0.0.1', [PEER_HEADER]: '127.0.0.1' }],
  ])('keeps out who has no token and %s', async (_, headers) => {
    expect(await isLetIn('/setup', headers)).toBe(false);
    expect(await isLetIn('/setup?token=guess', headers)).toBe(false);
  });
});
