import { describe, expect, it } from 'vitest';
import { isLoopbackHost, type Reach, suspectsWatcherOutage } from './watcher-outage';

const NOW = 1_000_000;

function failures(count: number, change: Partial<Reach> = {}): Reach[] {
  return Array.from({ length: count }, (_, index) => ({
    host: `host${index}.example`,
    ok: false,
    networkFailure: true,
    at: NOW - index,
    ...change,
  }));
}

describe('suspectsWatcherOutage', () => {
  it('suspects an outage when five hosts have network failures and none is reached', () => {
    expect(suspectsWatcherOutage(failures(5), NOW)).toBe(true);
    expect(suspectsWatcherOutage(failures(4), NOW)).toBe(false);
  });

  it('counts hosts, not results', () => {
    const results = [
      ...failures(4),
      ...failures(4, { at: NOW - 5 }),
      ...failures(1, { host: 'HOST0.example.' }),
    ];
    expect(suspectsWatcherOutage(results, NOW)).toBe(false);
  });

  it('looks back ten seconds', () => {
    const old: Reach = { host: 'a.example', ok: true, networkFailure: false, at: NOW - 10_001 };
    expect(suspectsWatcherOutage([...failures(5), old], NOW)).toBe(true);
    expect(suspectsWatcherOutage(failures(5, { at: NOW - 10_001 }), NOW)).toBe(false);
  });

  it('trusts the network as soon as one host responds, even with an error', () => {
    const response = { host: 'a.example', networkFailure: false, at: NOW };
    expect(suspectsWatcherOutage([...failures(9), { ...response, ok: true }], NOW)).toBe(false);
    expect(suspectsWatcherOutage([...failures(9), { ...response, ok: false }], NOW)).toBe(false);
  });

  it('learns nothing from loopback targets', () => {
    const local: Reach = { host: '127.0.0.1', ok: true, networkFailure: false, at: NOW };
    expect(suspectsWatcherOutage([...failures(5), local], NOW)).toBe(true);
    expect(suspectsWatcherOutage([...failures(4), { ...local, ok: false, networkFailure: true }], NOW)).toBe(
      false,
    );
  });
});

describe('isLoopbackHost', () => {
  it.each([
    'localhost',
    'a.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '127.9.8.7',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '127.255.255.255',
    '::ffff:7fab:face',
  ])('recognizes %s', (host) => expect(isLoopbackHost(host)).toBe(true));

  it.each([
    'localhost.example',
    '128.0.0.1',
    '127.example',
    '::2',
    '::',
    'fe80::1',
    '1',
    '2001:db8::1',
    'a127.0.0.1',
    '127.0.0.1.example',
    '::10',
    'fe80::ffff:7f00:1',
    '::ffff:7f00:1.a',
  ])('treats %s as another host', (host) => expect(isLoopbackHost(host)).toBe(false));
});
