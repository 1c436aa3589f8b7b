import { describe, expect, it } from 'vitest';
import { embedOriginsInput } from './embed-origins';

/** The problems of a list, as `place: message`. */
const problemsOf = (origins: unknown) =>
  embedOriginsInput.safeParse(origins).error?.issues.map(({ path, message }) => `${path.join()}: ${message}`);

describe('who may frame a page', () => {
  it.each([
    ['https://www.example.com', 'https://www.example.com'],
    [' HTTPS://WWW.Example.COM ', 'https://www.example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://wiki', 'https://wiki'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['*', '*'],
  ])('can be %s, stored as %s', (origin, stored) => {
    expect(embedOriginsInput.parse([origin])).toEqual([stored]);
  });

  it.each([
    'www.example.com',
    'http://www.example.com',
    'https://www.example.com/',
    'https://www.example.com/status',
    'https://www.example.com?a=b',
    'https://ada:secret@www.example.com',
    'https://*',
    'https://www.*.example.com',
    'https://example.com:99999',
    'https://192.168.1.5',
    'https://[::1]',
    'ftp://example.com',
    'javascript:alert(1)',
    "'self'",
    'https://example.com; script-src *',
    'https://example.com https://example.org',
    'https://example.com,https://example.org',
    'https://example.com\r\nX-Injected: 1',
    '',
    null,
  ])('cannot be %j', (origin) => {
    expect(problemsOf([origin])?.[0]).toMatch(/^0: must be an origin such as https:\/\/www\.example\.com/);
  });

  it('is named once, at most 20 times, and * alone', () => {
    expect(problemsOf(['https://a.example', 'https://A.example:443'])).toEqual(['1: is a duplicate']);
    expect(problemsOf(['https://a.example', '*'])).toEqual(['1: must be alone']);
    const many = (count: number) => Array.from({ length: count }, (_, place) => `https://w${place}.example`);
    expect(problemsOf(many(20))).toBeUndefined();
    expect(problemsOf(many(21))).toEqual([': must have at most 20 origins']);
    expect(problemsOf([`https://${'a.'.repeat(60)}example`])).toEqual(['0: must be at most 100 characters']);
  });
});
