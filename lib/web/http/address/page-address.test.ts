import { describe, expect, it } from 'vitest';
import { readPageAddress } from './request-address';

const page = { slug: 'acme', customDomain: 'status.acme.test', customDomainVerifiedAt: new Date(0) };
const at = (
  headers: Record<string, string>,
  { appUrl, ...changes }: Partial<typeof page> & { appUrl?: string; customDomainVerifiedAt?: null } = {},
) => {
  const environment = { APP_URL: appUrl, PORT: 3000 };
  return readPageAddress({ headers: new Headers(headers) }, { ...page, ...changes }, environment);
};
const own = { host: 'status.acme.test', 'x-pharos-page-host': '1' };
const appUrl = 'https://pharos.example.com';

describe('the address of a page', () => {
  it.each([
    ['below APP_URL', { host: 'evil.test' }, { appUrl }, `${appUrl}/status/acme`],
    [
      'below the host that was asked, without APP_URL',
      { host: 'a.test:81' },
      {},
      'http://a.test:81/status/acme',
    ],
    [
      'over https where the proxy says so',
      { host: 'a.test', 'x-forwarded-proto': 'https' },
      {},
      'https://a.test/status/acme',
    ],
    ['on its own domain', own, {}, 'http://status.acme.test'],
    ['on its own domain and port', { ...own, host: 'Status.Acme.test:81' }, {}, 'http://Status.Acme.test:81'],
    ['on its own domain as safe as the app', own, { appUrl }, 'https://status.acme.test'],
    [
      'below APP_URL where another host claims to be its',
      { ...own, host: 'evil.test' },
      { appUrl },
      `${appUrl}/status/acme`,
    ],
    [
      'below APP_URL while its domain is not verified',
      own,
      { appUrl, customDomainVerifiedAt: null },
      `${appUrl}/status/acme`,
    ],
    ['below APP_URL without the word of our server', { host: own.host }, { appUrl }, `${appUrl}/status/acme`],
  ])('is %s', (_, headers, options, address) => {
    expect(at(headers, options as Parameters<typeof at>[1])).toBe(address);
  });
});
