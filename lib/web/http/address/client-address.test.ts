import { describe, expect, it } from 'vitest';
import { clientAddress, countedAddress } from './request-address';

const TRUSTED = ['10.0.0.0/8', '::1'];

describe("the client's address", () => {
  it.each([
    [
      'the peer, where nothing is trusted',
      { peer: '203.0.113.7', forwardedFor: '1.2.3.4' },
      [],
      '203.0.113.7',
    ],
    [
      'the peer, where the peer is no proxy of ours',
      { peer: '203.0.113.7', forwardedFor: '1.2.3.4' },
      TRUSTED,
      '203.0.113.7',
    ],
    ['what a proxy of ours says', { peer: '10.0.0.2', forwardedFor: '203.0.113.7' }, TRUSTED, '203.0.113.7'],
    [
      'the last hop before ours, not what the client made up',
      { peer: '10.0.0.2', forwardedFor: '1.2.3.4, 203.0.113.7, 10.0.0.3' },
      TRUSTED,
      '203.0.113.7',
    ],
    [
      'IPv4 also where it comes over IPv6',
      { peer: '::ffff:10.0.0.2', forwardedFor: '203.0.113.7' },
      TRUSTED,
      '203.0.113.7',
    ],
    [
      'the proxy itself, where it says nothing',
      { peer: '10.0.0.2', forwardedFor: null },
      TRUSTED,
      '10.0.0.2',
    ],
    [
      'the last known one before garbage',
      { peer: '10.0.0.2', forwardedFor: '"><script>' },
      TRUSTED,
      '10.0.0.2',
    ],
    ['nobody, where there is no peer', { peer: null, forwardedFor: '1.2.3.4' }, TRUSTED, null],
  ])('is %s', (_, hop, trusted, expected) => {
    expect(clientAddress(hop, trusted)).toBe(expected);
  });

  it('is counted individually for IPv4 and per /64 for IPv6', () => {
    expect(countedAddress('203.0.113.7')).toBe('203.0.113.7');
    expect(countedAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  });
});
