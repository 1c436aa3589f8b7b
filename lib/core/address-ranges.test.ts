import { describe, expect, it } from 'vitest';
import { isAddressRange, isInRanges } from './address-ranges';

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
