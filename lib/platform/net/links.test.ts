import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { readLinks, rememberLinks, wayTo } from './links';

const MAC = '02:00:00:00:00:01';

function link(cidr: string, { mac = MAC, internal = false } = {}): NetworkInterfaceInfo {
  const [address = ''] = cidr.split('/');
  const own = { address, cidr, netmask: '', mac, internal };
  return address.includes(':') ? { ...own, family: 'IPv6', scopeid: 0 } : { ...own, family: 'IPv4' };
}

const LINKS = readLinks(
  {
    lo: [link('127.0.0.1/8', { internal: true })],
    eth0: [link('192.168.1.5/24'), link('2001:db8:1::5/64')],
    docker0: [link('172.17.0.1/16')],
    wg0: [link('10.8.0.2/24', { mac: '00:00:00:00:00:00' })],
    tap0: [link('10.9.0.2/24')],
    cloud0: [link('198.51.100.7/32')],
  },
  (name) => name === 'tap0',
);

it.each([
  ['in a directly attached subnet', '192.168.1.77', 'on-link eth0'],
  ['in one of IPv6', '2001:db8:1::77', 'on-link eth0'],
  ['in another subnet', '172.17.0.3', 'on-link docker0'],
  ['elsewhere', '203.0.113.1', 'routed'],
  ['elsewhere in IPv6', '2001:db8:2::77', 'routed'],
  ['behind a tunnel without hardware', '10.8.0.1', 'routed'],
  ['behind a tunnel that looks like Ethernet', '10.9.0.1', 'routed'],
  ['next to a single address', '198.51.100.8', 'routed'],
  ['mapped into IPv6', '::ffff:192.168.1.77', 'on-link eth0'],
  ['of this machine', '192.168.1.5', null],
  ['of this machine in its tunnel', '10.8.0.2', null],
  ['of loopback', '127.0.0.53', null],
])('an address %s, %s, is reached so: %s', (_, address, way) => {
  expect(wayTo(address, LINKS)).toBe(way);
});

it('a link that is down keeps its subnets, and one that is back has new ones', () => {
  const down = rememberLinks(LINKS, readLinks({ eth1: [link('192.168.7.5/24')] }));
  expect([wayTo('192.168.1.77', down), wayTo('192.168.7.77', down)]).toEqual([
    'on-link eth0',
    'on-link eth1',
  ]);
  const back = rememberLinks(down, readLinks({ eth0: [link('192.168.2.5/24')] }));
  expect([wayTo('192.168.1.77', back), wayTo('192.168.2.77', back)]).toEqual(['routed', 'on-link eth0']);
});
