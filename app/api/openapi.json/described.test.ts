import { describe, expect, it } from 'vitest';
import { type Received, requireDescribed } from '@/e2e/support/require-described';
import { borrowTenant } from '../testing/borrow-tenant';

const setting = borrowTenant();

/** A real response, with changes. */
async function check(path: string, change: (received: Received) => Partial<Received>): Promise<void> {
  const { url } = setting.service;
  const response = await fetch(`${url}/api${path}`, {
    headers: { Authorization: `Bearer ${setting.tenant.apiKey}` },
  });
  const { status, headers } = response;
  const received = { method: 'GET', path, status, headers, text: await response.text() };
  await requireDescribed(url, { ...received, ...change(received) });
}

describe('every client of the tests', () => {
  it('accepts what the document describes, and fields that it does not know', async () => {
    await check('/me', () => ({}));
    await check('/monitors/mon_none', () => ({}));
    await check('/me', ({ text }) => ({ text: text.replace('{', '{"new": 1,') }));
  });

  it.each<[string, string, (received: Received) => Partial<Received>]>([
    ['a status', '/me', () => ({ status: 418 })],
    ['a media type', '/me', () => ({ headers: new Headers({ 'content-type': 'text/html' }) })],
    ['a body without a field', '/me', () => ({ text: '{}' })],
    ['an error without a code', '/monitors/mon_none', () => ({ text: '{"error": {"message": "No"}}' })],
    ['a list that is none', '/monitors?limit=1', () => ({ text: '{}' })],
  ])('rejects %s that the document does not describe', async (_, path, change) => {
    await expect(check(path, change)).rejects.toThrow(`GET ${path}: `);
  });
});
