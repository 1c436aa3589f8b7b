import { describe, expect, it } from 'vitest';
import {
  createReachWindow,
  isLoopbackHost,
  noteReach,
  type Reach,
  suspectsWatcherOutage,
} from './watcher-outage';

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

/** Whether checks that finished in the order of their times raise the suspicion. */
function suspects(results: Reach[], now: number): boolean {
  const window = createReachWindow();
  for (const result of results.toSorted((a, b) => a.at - b.at)) noteReach(window, result);
  return suspectsWatcherOutage(window, now);
}

describe('suspectsWatcherOutage', () => {
  it('suspects an outage when five hosts have network failures and none is reached', () => {
    expect(suspects(failures(5), NOW)).toBe(true);
    expect(suspects(failures(4), NOW)).toBe(false);
  });

  it('counts hosts, not results', () => {
    const results = [
      ...failures(4),
      ...failures(4, { at: NOW - 5 }),
      ...failures(1, { host: 'HOST0.example.' }),
    ];
    expect(suspects(results, NOW)).toBe(false);
  });

  it('looks back ten seconds', () => {
    const old: Reach = { host: 'a.example', ok: true, networkFailure: false, at: NOW - 10_001 };
    expect(suspects([...failures(5), old], NOW)).toBe(true);
    expect(suspects(failures(5, { at: NOW - 10_001 }), NOW)).toBe(false);
  });

  it('trusts the network as soon as one host responds, even with an error', () => {
    const response = { host: 'a.example', networkFailure: false, at: NOW };
    expect(suspects([...failures(9), { ...response, ok: true }], NOW)).toBe(false);
    expect(suspects([...failures(9), { ...response, ok: false }], NOW)).toBe(false);
  });

  it('learns nothing from loopback targets', () => {
    const local: Reach = { host: '127.0.0.1', ok: true, networkFailure: false, at: NOW };
    expect(suspects([...failures(5), local], NOW)).toBe(true);
    expect(suspects([...failures(4), { ...local, ok: false, networkFailure: true }], NOW)).toBe(false);
  });
});

it('a window keeps one entry per host, however many checks fail', () => {
  const window = createReachWindow();
  for (let at = 0; at < 10_000; at++)
    noteReach(window, { host: `host${at % 7}`, ok: false, networkFailure: true, at });
  expect(window.failedAt.size).toBe(7);
  noteReach(window, { host: 'host1', ok: true, networkFailure: false, at: 10_000 });
  expect(window.failedAt.size).toBe(0);
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
