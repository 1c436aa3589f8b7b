import { describe, expect, it } from 'vitest';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';
import { formatService } from './probe-service-record';

/** The records of RFC 9460, appendix D, and one with all keys. */
const VECTORS: [text: string, hex: string][] = [
  ['0 foo.example.com', '0000 03666f6f076578616d706c6503636f6d00'],
  ['1 .', '0001 00'],
  ['16 foo.example.com port=53', '0010 03666f6f076578616d706c6503636f6d00 0003 0002 0035'],
  ['1 foo.example.com key667="hello"', '0001 03666f6f076578616d706c6503636f6d00 029b 0005 68656c6c6f'],
  [
    '1 foo.example.com ipv6hint=2001:db8::1,2001:db8::53:1',
    '0001 03666f6f076578616d706c6503636f6d00 0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001',
  ],
  [
    '16 foo.example.org mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
    '0010 03666f6f076578616d706c65036f726700 0000 0004 00010004 0001 0009 02683205 68332d3139 0004 0004 c0000201',
  ],
  [
    '1 . no-default-alpn ech=AAE= dohpath="/q{?dns}"',
    '0001 00 0002 0000 0005 0002 0001 0007 0008 2f717b3f646e737d',
  ],
];
const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('the data of an HTTPS or SVCB record', () => {
  it.each(VECTORS)('is shown as %s', (text, hex) => expect(formatService(bytesOf(hex))).toBe(text));

  it('is shown as bytes wherever it ends too early', () => {
    for (const [text, hex] of VECTORS) {
      const bytes = bytesOf(hex);
      for (let length = 0; length < bytes.length; length += 1) {
        const shown = formatService(bytes.subarray(0, length));
        expect(text.startsWith(shown) || shown.startsWith('\\# ')).toBe(true);
      }
    }
  });
});

it.each([
  ['HTTPS', 65],
  ['SVCB', 64],
] as const)('a dns check of type %s sees its records', async (type, number) => {
  const [, hex] = VECTORS[5] ?? [];
  const { server } = await serveDns(({ type: asked }) => ({
    numbered: asked === `UNKNOWN_${number}` ? { number, data: bytesOf(hex ?? '') } : undefined,
  }));
  const target = '16 FOO.example.org. mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1';
  const assertions = [{ source: 'record', property: null, comparison: 'equals', target } as const];
  const check = (url: string) =>
    probe(createTarget('dns', url, { assertions: [...assertions] }), {
      ...openEnvironment,
      dnsServers: [server],
    });
  expect(await check(`dns:a.test?type=${type}`)).toMatchObject({ outcome: 'ok' });
  expect(await check('dns:a.test?type=TLSA')).toMatchObject({ error: { code: 'no_record' } });
});
