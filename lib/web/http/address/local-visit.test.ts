import { describe, expect, it } from 'vitest';
import { isForwarded, isLocalVisit } from './request-address';

const LOCAL = { peer: '127.0.0.1', host: 'localhost:3000', names: ['host', 'user-agent'] };

describe('a local visit', () => {
  it.each([
    ['over IPv4', LOCAL],
    ['over IPv6', { ...LOCAL, peer: '::1', host: '[::1]:3000' }],
    ['over IPv4 on an IPv6 socket', { ...LOCAL, peer: '::ffff:127.0.0.1', host: '127.0.0.1:3000' }],
  ])('is one %s', (_, visit) => {
    expect(isLocalVisit(visit)).toBe(true);
  });

  it.each([
    ['from another machine', { ...LOCAL, peer: '10.0.0.7' }],
    ['without a known peer', { ...LOCAL, peer: null }],
    ['under a foreign name, as after DNS rebinding', { ...LOCAL, host: 'evil.example.com:3000' }],
    ['through a proxy on this machine', { ...LOCAL, names: ['x-forwarded-for'] }],
    ['through a proxy that says so in its own header', { ...LOCAL, names: ['x-real-ip'] }],
  ])('is none %s', (_, visit) => {
    expect(isLocalVisit(visit)).toBe(false);
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'via', 'x-real-ip'])(
    'sees a proxy by %s',
    (name) => {
      expect(isForwarded(['host', name])).toBe(true);
      expect(isForwarded(['host', 'accept'])).toBe(false);
    },
  );
});
