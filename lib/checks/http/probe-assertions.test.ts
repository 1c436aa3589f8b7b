import { describe, expect, it } from 'vitest';
import { serveHttp, serveHttps } from '@/lib/platform/net/testing/servers';
import type { Assertion } from '../assertions/assertion';
import type { Observed } from '../assertions/observed';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const status = (comparison: Assertion['comparison'], target: Assertion['target']): Assertion => ({
  source: 'status',
  property: null,
  comparison,
  target,
});
const body = (target: string): Assertion => ({ ...status('contains', target), source: 'body' });

function serve(code: number, text: string | Buffer = '', headers: Record<string, string> = {}) {
  return serveHttp((_request, response) => response.writeHead(code, headers).end(text));
}

async function check(url: string, assertions: Assertion[], changes = {}) {
  return probe(createTarget('http', url, { assertions, ...changes }), openEnvironment);
}

describe('an http check with assertions', () => {
  it('is ok if they hold, and fails with the first that does not', async () => {
    const { url } = await serve(200, '{"queue":{"depth":73}}', { server: 'nginx' });
    const depth: Assertion = { ...status('lessThan', 50), source: 'json', property: '$.queue.depth' };
    expect(await check(url, [body('queue'), status('equals', 200)])).toMatchObject({
      outcome: 'ok',
      error: null,
    });
    expect(await check(url, [body('queue'), depth, body('none')])).toMatchObject({
      outcome: 'failed',
      statusCode: 200,
      bodySize: 22,
      networkFailure: false,
      error: {
        code: 'assertion',
        message: 'assertion 2 failed: JSON value is not less than expected',
        detail: 'assertion 2: $.queue.depth is 73, expected less than 50',
      },
    });
  });

  it('expects the status of its status assertions instead of `expectedStatusCode`', async () => {
    const { url } = await serve(404);
    expect(await check(url, [status('oneOf', ['2xx', 404])])).toMatchObject({ outcome: 'ok' });
    expect((await check(url, [body('x')])).error?.code).toBe('status');
    expect((await check(url, [status('lessThan', 300)], { expectedStatusCode: 404 })).error).toMatchObject({
      message: 'assertion 1 failed: status is 404, expected less than 300',
    });
  });

  it('follows redirects unless the status is one that they accept', async () => {
    const { url } = await serveHttp(({ url: path }, response) => {
      response.writeHead(path === '/' ? 302 : 204, { location: '/next' }).end();
    });
    const codeOf = async (assertions: Assertion[]) => (await check(`${url}/`, assertions)).statusCode;
    expect(await codeOf([status('oneOf', ['2xx'])])).toBe(204);
    expect(await codeOf([status('oneOf', ['3xx'])])).toBe(302);
    expect(await codeOf([status('lessThan', 400)])).toBe(302);
  });

  it('still requires the keyword', async () => {
    const { url } = await serve(200, 'welcome');
    expect((await check(url, [body('wel')], { keyword: 'none' })).error?.code).toBe('keyword');
    expect((await check(url, [body('none')], { keyword: 'welcome' })).error?.code).toBe('assertion');
  });

  it('reads the body in the charset of the response', async () => {
    const latin = Buffer.from('Straße', 'latin1');
    const { url } = await serve(200, latin, { 'content-type': 'text/plain; charset=iso-8859-1' });
    expect(await check(url, [body('Straße')])).toMatchObject({ outcome: 'ok' });
  });

  it('fails if only the part of the body that is not read could satisfy it', async () => {
    const { url } = await serve(200, `${'x'.repeat(2 ** 20)}end`);
    expect((await check(url, [body('end')])).error?.detail).toBe(
      'body does not contain “end” in its first 1 MiB',
    );
  });

  it('judges the days until the certificate expires, and fails without one', async () => {
    const days: Assertion = { ...status('greaterThan', 14), source: 'certificateDays' };
    const secure = await serveHttps('good');
    expect(await check(secure.url, [days])).toMatchObject({ outcome: 'ok' });
    const plain = await serve(200);
    expect((await check(plain.url, [days])).error?.detail).toBe('certificate lifetime is missing');
  });

  it('shows who asks what it saw, whatever becomes of it', async () => {
    const { url } = await serve(500, 'down', { 'x-a': '1' });
    const seen: Observed[] = [];
    const observe = (observed: Observed) => void seen.push(observed);
    await probe(createTarget('http', url), { ...openEnvironment, observe });
    expect(seen).toMatchObject([
      { status: 500, body: 'down', size: 4, headers: { 'x-a': '1' }, bodyEnd: null },
    ]);
  });
});
