import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddressRange, isInRanges } from './address-ranges';
import {
  addScheme,
  findUrlProblem,
  fromReverseName,
  ipVersion,
  isHostname,
  parseHostAndPort,
  toAsciiName,
  toReverseName,
  withoutSecrets,
} from './addresses';

describe('a URL without a scheme', () => {
  it.each([
    ['example.com', 'https://example.com'],
    ['localhost:3000', 'https://localhost:3000'],
    ['example.com:8443/path?a=b', 'https://example.com:8443/path?a=b'],
    ['//example.com', 'https://example.com'],
    ['[::1]:8080/', 'https://[::1]:8080/'],
  ])('%s becomes %s', (typed, url) => {
    expect(addScheme(typed)).toBe(url);
  });

  it.each([
    'https://example.com',
    'http://x',
    'ftp://example.com',
    'not a host',
    '',
    'ann:hush@example.com',
    'mailto:a@b.test',
  ])('is not what “%s” is', (typed) => {
    expect(addScheme(typed)).toBeNull();
  });

  it.each([
    ['', 'must not be empty'],
    ['example.com', 'must start with https:// or http://'],
    ['ftp://example.com', 'must start with https:// or http://'],
    ['https://a b', 'must not contain spaces'],
    ['https://ann:hush@example.com', 'must not contain a user name or password'],
    ['https://', 'must have a valid host, such as https://example.com/health'],
  ])('or another wrong one, “%s”, %s', (typed, problem) => {
    expect(findUrlProblem(typed)).toBe(problem);
  });
});

describe('the version of an IP address', () => {
  it.each([
    '127.0.0.1',
    '255.255.255.255',
    '256.0.0.1',
    '01.2.3.4',
    '1.2.3',
    '1.2.3.4.',
    '1.2.3.4.5',
    '',
    '::',
    '::1',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::',
    ':::',
    '::ffff:1.2.3.4',
    '::ffff:1.2.3',
    '::1.2.3.04',
    'FE80::A',
    'fe80::1%eth0',
    'fe80::1%',
    '[::1]',
    '::1\n',
    'localhost',
  ])('of %j matches Node.js', (text) => {
    expect(ipVersion(text)).toBe(isIP(text));
  });

  it('matches Node.js for any text of their characters', () => {
    const like = fc.string({ unit: fc.constantFrom(...'0125fF:.%'), maxLength: 20 });
    fc.assert(
      fc.property(
        fc.oneof(like, fc.ipV4(), fc.ipV6(), fc.string()),
        (text) => ipVersion(text) === isIP(text),
      ),
      { numRuns: 20_000 },
    );
  });
});

it('a URL is shown without what can be a secret', () => {
  expect(withoutSecrets('https://me:hush@shop.example.com/a?token=hush')).toBe(
    'https://shop.example.com/a?…',
  );
});

describe('a range of addresses', () => {
  it.each([
    '203.0.113.7',
    '203.0.113.0/24',
    '0.0.0.0/0',
    '2001:db8::1',
    '2001:DB8::/32',
    '::/0',
    '::ffff:203.0.113.0/120',
  ])('%s is one, and contains itself', (text) => {
    expect(isAddressRange(text)).toBe(true);
    expect(isInRanges(text.replace(/\/.*/, ''), [text])).toBe(true);
  });

  it.each([
    '010.0.0.0/8',
    '10.1/16',
    '1/8',
    '0x0a.0.0.0/8',
    'fe80::1%eth0/64',
    '010.0.0.1',
    '10.1',
    '167772161',
    'fe80::1%eth0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/08',
    '10.0.0.0/',
    '',
    '/8',
    'example.com',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '[::1]',
  ])('%j is none', (text) => {
    expect(isAddressRange(text)).toBe(false);
  });
});

describe('an internationalized name', () => {
  it.each([
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example.', 'xn--mnchen-3ya.example.'],
    ['_dmarc.münchen.example', '_dmarc.xn--mnchen-3ya.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['straße.example', 'xn--strae-oqa.example'],
  ])('%s is looked up as %s', (name, ascii) => {
    expect(isHostname(name)).toBe(true);
    expect(toAsciiName(name)).toBe(ascii);
    expect(parseHostAndPort(`${name}:443`)).toEqual({ host: name, port: 443 });
  });

  it.each(['mün chen.example', 'münchen..example', `${'ü'.repeat(63)}.example`, 'ü/a', 'ü:1'])(
    'is not %s',
    (name) => expect(isHostname(name)).toBe(false),
  );

  it('leaves other names as they are', () => {
    for (const name of ['Example.COM', 'xn--mnchen-3ya.example', '127.1', '_a.b'])
      expect(toAsciiName(name)).toBe(name);
  });
});

it.each([
  ['192.0.2.1', '1.2.0.192.in-addr.arpa', '192.0.2.1'],
  [
    '2001:db8::1',
    '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
    '2001:0db8:0000:0000:0000:0000:0000:0001',
  ],
])('the reverse name of %s is %s', (address, name, read) => {
  expect(toReverseName(address)).toBe(name);
  expect(fromReverseName(name)).toBe(read);
  expect(fromReverseName(`${name.toUpperCase()}.`)?.toLowerCase()).toBe(read);
});

it('names of networks stand for their first address, and others for none', () => {
  expect(fromReverseName('10.in-addr.arpa')).toBe('10.0.0.0');
  expect(fromReverseName('d.f.ip6.arpa')).toBe('fd00:0000:0000:0000:0000:0000:0000:0000');
  expect(fromReverseName('a.test')).toBeNull();
  expect(toReverseName('a.test')).toBeNull();
});
