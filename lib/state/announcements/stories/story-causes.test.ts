import { describe, expect, it } from 'vitest';
import type { MonitorType } from '@/lib/checks/types';
import type { CheckError, RegionVote } from '@/lib/state/types';
import { formatCause, listCauses } from './story-causes';

function vote(region: string, error: CheckError | null, fields: Partial<RegionVote> = {}): RegionVote {
  return {
    region,
    verdict: error ? 'failing' : 'good',
    failures: error ? 2 : 0,
    slows: 0,
    goods: 0,
    vote: true,
    error,
    ...fields,
  };
}

const list = (
  regions: RegionVote[],
  { type = 'http', url = 'https://Shop.test/a' }: { type?: MonitorType; url?: string } = {},
) => {
  const why = { rule: 'quorum', regions, voting: regions.length, quorum: 1, configVersion: 1 };
  return listCauses({ type, url }, { to: 'down', why });
};

const TIMEOUT = { code: 'timeout', message: 'no response within 30 s' };
const STATUS = { code: 'status', message: 'responded with 503, expected 200' };

describe('the causes of an outage', () => {
  it('are the host, and each error of the network with its region', () => {
    expect(list([vote('us-east', TIMEOUT), vote('eu-west', STATUS), vote('ap-south', null)])).toEqual([
      'host:shop.test',
      'timeout@us-east',
    ]);
    expect(list([vote('us-east', TIMEOUT, { vote: false })])).toEqual(['host:shop.test']);
  });

  it.each([
    ['connection refused by 192.0.2.77:443', 'range:192.0.2.0/24'],
    ['connection refused by [2001:db8:1:2::3]:443', 'range:2001:db8:1::/48'],
  ])('are the address range if the address is known: %s', (message, range) => {
    expect(list([vote('us-east', { code: 'connect', message })])).toEqual([
      'host:shop.test',
      range,
      'connect@us-east',
    ]);
  });

  it.each([
    ['http', 'http://192.0.2.1/', '192.0.2.0/24'],
    ['tcp', '192.0.2.200:25', '192.0.2.0/24'],
    ['http', 'http://[2001:db8::1]:8080/', '2001:db8::/48'],
  ] as const)('are the address range of an address that is the target of %s: %s', (type, url, range) => {
    expect(list([vote('us-east', STATUS)], { type, url })).toContain(`range:${range}`);
  });

  it('are the resolver of a DNS monitor if the name could not be resolved', () => {
    const target = { type: 'dns', url: 'dns://192.0.2.53/shop.test?type=MX' } as const;
    const dns = { code: 'dns', message: 'server failure' };
    expect(list([vote('us-east', dns)], target)).toEqual([
      'host:shop.test',
      'resolver:192.0.2.53',
      'dns@us-east',
    ]);
    expect(list([vote('us-east', { code: 'no_record', message: 'no MX record' })], target)).toEqual([
      'host:shop.test',
    ]);
  });

  it('are none for jobs that call', () => {
    const late = vote('heartbeat', { code: 'late', message: 'did not call' });
    expect(list([late], { type: 'heartbeat', url: '' })).toEqual([]);
  });

  it('are at most 20', () => {
    const regions = Array.from({ length: 50 }, (_, index) => vote(`region-${index}`, TIMEOUT));
    expect(list(regions)).toHaveLength(20);
  });
});

it.each([
  [['host:shop.test', 'timeout@us-east'], 'same host shop.test'],
  [['range:192.0.2.0/24', 'connect@us-east'], 'same address range 192.0.2.0/24'],
  [['resolver:192.0.2.53', 'dns@us-east'], 'DNS errors of the resolver 192.0.2.53'],
  [['timeout@us-east'], 'timeouts in Ashburn'],
  [['recovery:sty_1'], ''],
  [[], ''],
])('%j reads as “%s”', (causes, text) => {
  expect(formatCause(causes, (region) => (region === 'us-east' ? 'Ashburn' : region))).toBe(text);
});
