import { describe, expect, it } from 'vitest';
import { domainSchema, isDomain } from './domain-name';

describe('the domain of a page', () => {
  it.each([
    ['status.acme.test', 'status.acme.test'],
    [' Status.ACME.test ', 'status.acme.test'],
    ['status.acme.test.', 'status.acme.test'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['bücher。example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['ｓｔａｔｕｓ.acme.test', 'status.acme.test'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ])('%j is stored as %s', (typed, stored) => {
    expect(domainSchema.parse(typed)).toBe(stored);
    expect(isDomain(stored)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '.',
    'acme',
    'localhost',
    'acme.localhost',
    'acme.test..',
    '.acme.test',
    'a..test',
    '192.0.2.1',
    '0x7f.1',
    '127.1',
    '2130706433',
    '[::1]',
    '::1',
    '１９２.0.2.1',
    'acme.1',
    'http://acme.test',
    'acme.test/',
    'acme.test:443',
    'acme.test?x',
    'me@acme.test',
    'a\\b.test',
    'acme%2etest',
    '_pharos.acme.test',
    '-acme.test',
    'acme-.test',
    '*.acme.test',
    'ac me.test',
    'acme\n.test',
    'acme\t.test',
    'acme\0.test',
    'xn--a.test',
    'xn--.test',
    'xn--zzzzzzzz99999.test',
    '<img src=x onerror=alert(1)>.test',
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(122)}test`,
  ])('%j is none', (typed) => {
    expect(domainSchema.safeParse(typed).success).toBe(false);
  });

  it('is recognized only in its stored form', () => {
    expect([isDomain('Status.acme.test'), isDomain('status.acme.test.')]).toEqual([false, false]);
  });
});
