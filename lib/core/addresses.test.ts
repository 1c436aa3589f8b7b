import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
