import { describe, expect, it } from 'vitest';
import { normalizeHost, readTarget } from './read-host';

describe('a host', () => {
  it.each([
    ['status.acme.test', 'status.acme.test', ''],
    ['STATUS.Acme.Test', 'status.acme.test', ''],
    ['status.acme.test.', 'status.acme.test', ''],
    ['status.acme.test:8443', 'status.acme.test', '8443'],
    ['Status.Acme.Test.:080', 'status.acme.test', '80'],
    ['status.acme.test:', 'status.acme.test', ''],
    ['127.0.0.1:3000', '127.0.0.1', '3000'],
    ['[::1]:3000', '[::1]', '3000'],
    ['[0:0::0001]', '[::1]', ''],
    ['localhost', 'localhost', ''],
    ['xn--bcher-kva.test', 'xn--bcher-kva.test', ''],
  ])('%s is normalized to %s', (text, name, port) => {
    expect(normalizeHost(text)).toEqual({ name, port });
  });

  it.each([
    '',
    '.',
    '.acme.test',
    'acme..test',
    'acme.test..',
    'user@acme.test',
    'acme.test/path',
    'acme.test, other.test',
    'acme test',
    'acme.test:99999',
    'acme.test:http',
    'bücher.test',
    '%61cme.test',
    '[::1',
    '[nine]',
    '[:::::]',
    `${'a'.repeat(255)}`,
  ])('%j is invalid', (text) => {
    expect(normalizeHost(text)).toBeNull();
  });
});

describe('the target of a request', () => {
  const acme = { name: 'acme.test', port: '' };

  it('is the Host header and the path', () => {
    expect(readTarget('/history?lang=de', ['acme.test'])).toEqual({ host: acme, path: '/history?lang=de' });
    expect(readTarget('*', ['acme.test'])).toEqual({ host: acme, path: '*' });
  });

  it('is the absolute form if there is one, whatever the Host header', () => {
    expect(readTarget('http://ACME.test/history?a', ['other.test'])).toEqual({
      host: acme,
      path: '/history?a',
    });
    expect(readTarget('https://acme.test', ['other.test'])).toEqual({ host: acme, path: '/' });
    expect(readTarget('http://acme.test?a=1', [])).toEqual({ host: acme, path: '/?a=1' });
  });

  it('has no host in HTTP/1.0 without a Host header', () => {
    expect(readTarget('/', [])).toEqual({ host: { name: '', port: '' }, path: '/' });
  });

  it.each([
    ['two Host headers', '/', ['acme.test', 'acme.test']],
    ['an invalid Host header', '/', ['acme.test/x']],
    ['a user in the absolute form', 'http://me@acme.test/', ['acme.test']],
    ['an invalid Host header and the absolute form', 'http://acme.test/', ['a b']],
    ['another scheme', 'ftp://acme.test/', ['acme.test']],
    ['no path at all', 'history', ['acme.test']],
  ])('is rejected with %s', (_, url, hosts) => {
    expect(readTarget(url, hosts)).toBeNull();
  });
});
