import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddressRange, isInRanges } from './address-ranges';
import { ipVersion, withoutSecrets } from './addresses';

describe('the version of an IP address', () => {
  it.each([
    ...[
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
    ],
    ...[
      '1:2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7::',
      '::2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '12345::',
      ':::',
    ],
    ...[
      '::ffff:1.2.3.4',
      '::ffff:1.2.3',
      '::1.2.3.04',
      'FE80::A',
      'fe80::1%eth0',
      'fe80::1%',
      '[::1]',
      '::1\n',
      'localhost',
    ],
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
    ...['010.0.0.0/8', '10.1/16', '1/8', '0x0a.0.0.0/8', 'fe80::1%eth0/64'],
    ...[
      '010.0.0.1',
      '10.1',
      '167772161',
      'fe80::1%eth0',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/08',
      '10.0.0.0/',
    ],
    ...['', '/8', 'example.com', '10.0.0.0/8/8', '10.0.0.0/-1', '[::1]'],
  ])('%j is none', (text) => {
    expect(isAddressRange(text)).toBe(false);
  });
});
