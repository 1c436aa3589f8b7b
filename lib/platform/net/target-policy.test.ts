import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import {
  isAddressAllowed,
  isCidr,
  isHostAllowed,
  isNameAllowed,
  literalAddress,
  SPECIAL_ADDRESSES,
  type TargetPolicy,
} from './target-policy';

const open: TargetPolicy = { mode: 'private', allowedCidrs: [] };
const strict: TargetPolicy = { mode: 'public', allowedCidrs: [] };

const GLOBAL = [
  '8.8.8.8',
  '1.1.1.1',
  '2606:4700:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
  '::ffff:0:808:808',
  '2001:0:808:808::f7f7:f7f7',
];
const LOOPBACK = [
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '0.1.2.3',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::7f00:1',
];
const PRIVATE = [
  '10.0.0.5',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  'fd12::1',
  'fc00::1',
  'fec0::1',
  '::ffff:10.0.0.5',
];
const SPECIAL = [
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '240.0.0.1',
  '2001:db8::1',
  '100::1',
  '4000::1',
];
const WRAPPED = [
  '64:ff9b::7f00:1',
  '64:ff9b::a00:5',
  '64:ff9b:1::a00:5',
  '2002:7f00:1::',
  '2002:a00:5::1',
  '::ffff:0:a00:5',
];
const TEREDO_TO_PRIVATE = '2001:0:808:808::f5ff:fffa';
const NOT_TARGETS = ['224.0.0.1', '255.255.255.255', 'ff02::1', '::ffff:224.0.0.1'];
const METADATA = [
  '169.254.169.254',
  '169.254.0.1',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  'fe80::1',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  '192.0.0.192',
];
const WRAPPED_METADATA = [
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '::a9fe:a9fe',
  '::ffff:192.0.0.192',
  '64:ff9b::c000:c0',
  // NAT64 for local use, with the address after 48, 56 and 64 bits.
  '64:ff9b:1:a9fe:a9:fe00::',
  '64:ff9b:1:ffa9:fe:a9fe::',
  '64:ff9b:1:ffff:a9:fea9:fe00::',
];

describe('the public policy', () => {
  it.each(GLOBAL)('allows the globally routable %s', (address) =>
    expect(isAddressAllowed(address, strict)).toBe(true),
  );

  it.each([
    ...LOOPBACK,
    ...PRIVATE,
    ...SPECIAL,
    ...WRAPPED,
    TEREDO_TO_PRIVATE,
    ...NOT_TARGETS,
    ...METADATA,
    ...WRAPPED_METADATA,
  ])('blocks %s', (address) => expect(isAddressAllowed(address, strict)).toBe(false));

  it('allows the listed private ranges, and no others', () => {
    const policy: TargetPolicy = { mode: 'public', allowedCidrs: ['10.0.0.0/8', 'fd12::/16'] };
    expect(isAddressAllowed('10.9.9.9', policy)).toBe(true);
    expect(isAddressAllowed('::ffff:10.9.9.9', policy)).toBe(true);
    expect(isAddressAllowed('fd12::9', policy)).toBe(true);
    expect(isAddressAllowed('192.168.1.1', policy)).toBe(false);
    expect(isAddressAllowed('8.8.8.8', policy)).toBe(true);
  });
});

describe('the private policy', () => {
  it.each([...GLOBAL, ...LOOPBACK, ...PRIVATE, ...SPECIAL, ...WRAPPED, TEREDO_TO_PRIVATE])(
    'opens %s',
    (address) => expect(isAddressAllowed(address, open)).toBe(true),
  );

  it.each([...NOT_TARGETS, ...METADATA, ...WRAPPED_METADATA])('blocks %s', (address) =>
    expect(isAddressAllowed(address, open)).toBe(false),
  );

  it('allows only the listed private ranges if some are listed', () => {
    const policy: TargetPolicy = { mode: 'private', allowedCidrs: ['10.0.0.0/8'] };
    expect(isAddressAllowed('10.0.0.5', policy)).toBe(true);
    expect(isAddressAllowed('127.0.0.1', policy)).toBe(false);
    expect(isAddressAllowed('192.168.1.1', policy)).toBe(false);
    expect(isAddressAllowed('8.8.8.8', policy)).toBe(true);
  });

  it('allows no private range if the list contains only invalid entries', () => {
    expect(isAddressAllowed('10.0.0.5', { mode: 'private', allowedCidrs: ['ten'] })).toBe(false);
  });
});

describe('metadata and link-local addresses', () => {
  const allows = (address: string, ...allowedCidrs: string[]) =>
    isAddressAllowed(address, { mode: 'private', allowedCidrs });

  it('are allowed if the exact address is listed', () => {
    expect(allows('169.254.169.254', '169.254.169.254')).toBe(true);
    expect(allows('169.254.169.254', '169.254.169.254/32')).toBe(true);
    expect(allows('fd00:ec2::254', 'fd00:ec2::254/128')).toBe(true);
    expect(allows('::ffff:169.254.169.254', '169.254.169.254')).toBe(true);
  });

  it('are allowed if exactly their range is listed', () => {
    expect(allows('169.254.7.7', '169.254.0.0/16')).toBe(true);
    expect(allows('fe80::7', 'fe80::/10')).toBe(true);
  });

  it('stay blocked under a wider or narrower range', () => {
    expect(allows('169.254.169.254', '0.0.0.0/0')).toBe(false);
    expect(allows('169.254.169.254', '169.254.169.0/24')).toBe(false);
    expect(allows('100.100.100.200', '100.64.0.0/10')).toBe(false);
    expect(allows('168.63.129.16', '168.63.0.0/16')).toBe(false);
    expect(allows('fd00:ec2::254', 'fd00::/8')).toBe(false);
  });

  it('stay blocked if an entry is not a range', () => {
    expect(allows('169.254.169.254', 'metadata')).toBe(false);
  });
});

/** The first, the second and the last address of a range, and for IPv4 the same as the forms of IPv6 that carry it. */
function addressesOf(cidr: string): { first: string[]; second: string[]; last: string[] } {
  if (cidr.includes(':')) {
    const [base] = ipaddr.IPv6.parseCIDR(cidr);
    const second = new ipaddr.IPv6([...base.parts.slice(0, 7), (base.parts[7] ?? 0) | 1]);
    const last = ipaddr.IPv6.broadcastAddressFromCIDR(cidr);
    return { first: [base.toString()], second: [second.toString()], last: [last.toString()] };
  }
  const [base] = ipaddr.IPv4.parseCIDR(cidr);
  const second = new ipaddr.IPv4([...base.octets.slice(0, 3), (base.octets[3] ?? 0) | 1]);
  const last = ipaddr.IPv4.broadcastAddressFromCIDR(cidr);
  return { first: formsOf(base), second: formsOf(second), last: formsOf(last) };
}

function formsOf(address: ipaddr.IPv4): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.octets;
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return [address.toString(), `::ffff:${address}`, `64:ff9b::${hex}`, `2002:${hex}::`];
}

describe.each(SPECIAL_ADDRESSES)('the special range %s (%s)', (cidr, use) => {
  const { first, second, last } = addressesOf(cidr);

  it.each([...first, ...last])('is blocked at %s under the public policy', (address) =>
    expect(isAddressAllowed(address, strict)).toBe(false),
  );

  const ours = use === 'private' ? second : [...first, ...last];
  it.each(ours)(`is ${use === 'private' ? 'allowed' : 'blocked'} at %s under the private policy`, (address) =>
    expect(isAddressAllowed(address, open)).toBe(use === 'private'),
  );
});

describe.each(SPECIAL_ADDRESSES.filter(([, use]) => use === 'closed'))('the closed range %s', (cidr) => {
  it.each(['public', 'private'] as const)(
    'opens under %s where it is named exactly, and in no wider range',
    (mode) => {
      const allows = (allowed: string) => isAddressAllowed(address, { mode, allowedCidrs: [allowed] });
      const [address = ''] = addressesOf(cidr).first;
      const [base, bits] = cidr.split('/');
      expect([allows(cidr), allows(address), allows(`${base}/${Number(bits) - 1}`)]).toEqual([
        true,
        true,
        false,
      ]);
    },
  );
});

it('addresses next to special ranges are ordinary', () => {
  const adjacent = ['9.255.255.255', '11.0.0.0', '172.32.0.0', '192.0.1.0', '192.0.3.0', '100.128.0.0'];
  const adjacent6 = ['2001:200::', '2001:db9::', '2620:4f:8001::', '3ffe::', '3fff:1000::'];
  for (const address of [...adjacent, ...adjacent6]) {
    expect(isAddressAllowed(address, strict), address).toBe(true);
  }
});

describe('isNameAllowed', () => {
  it.each(['intranet', 'intranet.', 'localhost', 'a.localhost', 'A.LOCALHOST.'])(
    'closes the local name %s under the public policy only',
    (name) => {
      expect(isNameAllowed(name, strict)).toBe(false);
      expect(isNameAllowed(name, { mode: 'public', allowedCidrs: ['10.0.0.0/8'] })).toBe(false);
      expect(isNameAllowed(name, open)).toBe(true);
    },
  );

  it.each(['a.test', 'localhost.test', '::1', '[::1]', '127.1', '2130706433'])(
    'leaves %s to its address',
    (name) => expect(isNameAllowed(name, strict)).toBe(true),
  );
});

it.each([
  ['8.8.8.8', true],
  ['10.0.0.5', false],
  ['167772165', false],
  ['example.test', true],
  ['intranet', false],
])('isHostAllowed judges %s by its text alone: %s under the public policy', (host, allowed) => {
  expect(isHostAllowed(host, strict)).toBe(allowed);
});

describe('literalAddress', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['[::ffff:7f00:1]', '::ffff:7f00:1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
  ])('reads %s as %s', (host, address) => {
    expect(literalAddress(host)).toBe(address);
  });

  it.each([
    'example.test',
    'localhost',
    '1.2.3.256',
    '1.2.3.4.5',
    '',
    'user@127.0.0.1',
    '127.0.0.1/x',
    '127.0.0.1:80',
    '[::1',
    '::1]',
    '(::1)',
  ])('rejects %s, which is no address', (host) => expect(literalAddress(host)).toBeNull());
});

it('isCidr accepts only ranges and addresses', () => {
  expect(['10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::1'].every(isCidr)).toBe(true);
  expect(['10.0.0.0/33', 'ten', '', '10.0.0.0/'].some(isCidr)).toBe(false);
});

it('an invalid address is not allowed', () => {
  expect(isAddressAllowed('localhost', open)).toBe(false);
  expect(isAddressAllowed('', open)).toBe(false);
});
