import { createServer } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { respondFailure } from './respond';

let listener: HttpListener;

beforeAll(async () => {
  const error = new DomainError('UNAVAILABLE', 'The database is unavailable.');
  const server = createServer((request, response) => respondFailure(response, error, request.headers));
  listener = await listenLocally(server);
  return listener.close;
});

async function get(accept: string) {
  const response = await fetch(listener.url, { headers: { accept } });
  const { status, headers } = response;
  return {
    status,
    type: headers.get('content-type'),
    retryAfter: headers.get('retry-after'),
    cached: headers.get('cache-control'),
    text: await response.text(),
  };
}

describe('while the database is unavailable', () => {
  it('browsers get a page, and when to request it again', async () => {
    const response = await get('text/html,application/xhtml+xml,*/*;q=0.8');
    expect(response).toMatchObject({ status: 503, type: 'text/html; charset=utf-8', retryAfter: '5' });
    expect(response.text).toContain('<h1>Unavailable</h1>');
    expect(response.cached).toBe('no-store');
  });

  it('others get the format of the API, with the same status and time', async () => {
    const response = await get('application/json');
    expect(response).toMatchObject({ status: 503, type: 'application/json', retryAfter: '5' });
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'UNAVAILABLE' } });
  });
});
