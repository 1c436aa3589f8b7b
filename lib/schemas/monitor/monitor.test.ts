import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { parseInput } from '@/lib/schemas/validation';
import { createMonitorSchema, updateMonitorSchema } from '.';

const VALID = { name: 'Shop', url: 'https://shop.test/' };
const STATUS = { source: 'status', comparison: 'equals', target: 200 };

/** The errors of a body, each as `path code`; empty if it is valid. */
function errorsOf(body: unknown, schema = createMonitorSchema as Parameters<typeof parseInput>[0]): string[] {
  try {
    parseInput(schema, body);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.details ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('a new monitor', () => {
  it('requires only a name and a URL and gets the documented defaults', () => {
    expect(parseInput(createMonitorSchema, VALID)).toEqual({
      ...VALID,
      description: null,
      type: 'http',
      method: 'GET',
      interval: 60,
      timeout: 30,
      expectedStatusCode: 200,
      headers: {},
      body: null,
      regions: ['us-east'],
      alertThreshold: 3,
      recoveryThreshold: 1,
      degradedThreshold: 5000,
      confirmInterval: null,
      followRedirects: true,
      maxRedirects: 5,
      keyword: null,
      assertions: [],
      send: null,
      expectedAnswer: 'records',
      resolvers: [],
      resolverMatch: 'all',
      protocol: 'none',
      ipVersion: 'any',
      connectTo: null,
      tlsVerify: true,
      tlsExpiryDays: null,
      authentication: null,
      clientCertificate: null,
      period: null,
      schedule: null,
      grace: 3600,
      dependsOn: [],
      members: [],
      memberRule: 'all',
      memberMinimum: null,
      tags: [],
      ref: null,
      enabled: true,
    });
  });

  it('has assertions in which what is left out is null', () => {
    const assertions = [STATUS, { source: 'header', property: 'x', comparison: 'exists' }];
    expect(parseInput(createMonitorSchema, { ...VALID, assertions }).assertions).toEqual([
      { ...STATUS, property: null },
      { source: 'header', property: 'x', comparison: 'exists', target: null },
    ]);
  });

  it('of type heartbeat requires no URL, alerts at the first failure, and has a period or a schedule', () => {
    const schedule = { cron: '30 3 * * *', timeZone: 'UTC' };
    const parse = (body: object) =>
      parseInput(createMonitorSchema, { name: 'Backup', type: 'heartbeat', ...body });
    expect(parse({ period: 60 })).toMatchObject({ url: '', alertThreshold: 1, interval: 60, grace: 3600 });
    expect(parse({ schedule: { cron: '30 3 * * *' }, alertThreshold: null })).toMatchObject({
      schedule,
      alertThreshold: 1,
    });
    expect(parse({ period: 60, alertThreshold: 3, url: '' })).toMatchObject({ alertThreshold: 3 });
  });

  it.each([
    ['neither', {}, ['period invalid']],
    ['both', { period: 60, schedule: { cron: '0 3 * * *' } }, ['period invalid']],
    ['a URL', { period: 60, url: 'https://shop.test/' }, ['url invalid']],
    ['a period of 59 seconds', { period: 59 }, ['period too_small']],
    ['a period of 367 days', { period: 367 * 86_400 }, ['period too_big']],
    ['six fields', { schedule: { cron: '0 0 3 * * *' } }, ['schedule.cron invalid']],
    ['a day that never comes', { schedule: { cron: '0 0 30 2 *' } }, ['schedule.cron invalid']],
    [
      'no such time zone',
      { schedule: { cron: '0 3 * * *', timeZone: 'Mars' } },
      ['schedule.timeZone invalid'],
    ],
    ['a negative grace', { period: 60, grace: -1 }, ['grace too_small']],
    [
      'a URL to call of its own',
      { period: 60, heartbeatUrl: 'https://x.test/' },
      ['heartbeatUrl unknown_key'],
    ],
  ])('of type heartbeat rejects %s', (_, body, errors) => {
    expect(errorsOf({ name: 'Backup', type: 'heartbeat', ...body })).toEqual(errors);
  });

  it.each([
    ['http', 'https://shop.test:8443/path?q=1'],
    ['http', 'http://[::1]:3000/'],
    ['tcp', 'db.internal:5432'],
    ['tcp', '[::1]:5432'],
    ['ping', 'gateway.internal'],
    ['ping', '10.0.0.1'],
    ['ping', 'fe80::1'],
    ['dns', 'shop.test'],
    ['dns', 'dns://10.0.0.2:5353/shop.test?type=MX'],
    ['dns', 'dns:shop.test?type=TXT'],
    ['dns', 'dns://[::1]/shop.test?type=AAAA'],
  ])('of type %s takes %s', (type, url) => {
    expect(errorsOf({ ...VALID, type, url })).toEqual([]);
  });

  it.each([
    ['http', 'ftp://shop.test/'],
    ['http', 'shop.test'],
    ['http', 'https://user:pw@shop.test/'],
    ['http', 'http://'],
    ['tcp', 'db.internal'],
    ['tcp', 'db.internal:0'],
    ['tcp', 'db.internal:70000'],
    ['tcp', 'http://db.internal:80'],
    ['tcp', 'user:pw@db.internal:80'],
    ['dns', 'dns://user:pw@10.0.0.2/shop.test?type=A'],
    ['ping', '-f'],
    ['ping', '$(id)'],
    ['ping', ';id'],
    ['ping', 'gateway -f'],
    ['ping', 'gateway\n-f'],
    ['ping', '`id`'],
    ['ping', 'http://gateway'],
    ['dns', 'dns://10.0.0.2/shop.test?type=ANY'],
    ['dns', 'https://shop.test/'],
  ])('of type %s rejects %s', (type, url) => {
    expect(errorsOf({ ...VALID, type, url })).toEqual(['url invalid']);
  });

  it.each([
    ['no body at all', undefined, [' required']],
    ['an array', [], [' invalid_type']],
    ['a missing field', { name: 'Shop' }, ['url required']],
    ['an unknown key', { ...VALID, color: 'red' }, ['color unknown_key']],
    ['a wrong type', { ...VALID, interval: '60', name: 7 }, ['name invalid_type', 'interval invalid_value']],
    ['an interval of 45', { ...VALID, interval: 45 }, ['interval invalid_value']],
    ['a name of spaces', { ...VALID, name: '   ' }, ['name too_small']],
    ['a name of 101 characters', { ...VALID, name: 'x'.repeat(101) }, ['name too_big']],
    ['NUL in a name', { ...VALID, name: 'a\0b' }, ['name invalid']],
    ['no region', { ...VALID, regions: [] }, ['regions too_small']],
    ['a region twice', { ...VALID, regions: ['us-east', 'us-east'] }, ['regions.1 invalid']],
    ['an unknown region', { ...VALID, regions: ['mars'] }, ['regions.0 unknown_region']],
    ['a timeout of 61', { ...VALID, timeout: 61 }, ['timeout too_big']],
    ['half a second', { ...VALID, timeout: 0.5 }, ['timeout invalid_type']],
    ['11 redirects', { ...VALID, maxRedirects: 11 }, ['maxRedirects too_big']],
    ['-1 redirects', { ...VALID, maxRedirects: -1 }, ['maxRedirects too_small']],
    ['a threshold of 11', { ...VALID, alertThreshold: 11 }, ['alertThreshold too_big']],
    ['an interval of 4 s to confirm', { ...VALID, confirmInterval: 4 }, ['confirmInterval too_small']],
    ['an interval of 31 s to confirm', { ...VALID, confirmInterval: 31 }, ['confirmInterval too_big']],
    ['status code 99', { ...VALID, expectedStatusCode: 99 }, ['expectedStatusCode too_small']],
    ['a header with a line break', { ...VALID, headers: { 'X-A': 'a\r\nb' } }, ['headers.X-A invalid']],
    ['a header with NUL', { ...VALID, headers: { 'X-A': 'a\0' } }, ['headers.X-A invalid']],
    ['a header beyond Latin-1', { ...VALID, headers: { 'X-A': '→' } }, ['headers.X-A invalid']],
    ['a header name with a space', { ...VALID, headers: { 'X A': '1' } }, ['headers.X A invalid']],
    ['a Host header', { ...VALID, headers: { host: 'x' } }, ['headers.host invalid']],
    ['a header twice', { ...VALID, headers: { 'X-A': '1', 'x-a': '2' } }, ['headers.x-a invalid']],
    [
      '200 headers',
      { ...VALID, headers: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`X-${n}`, '1'])) },
      ['headers invalid'],
    ],
    [
      'an authentication with an Authorization header',
      { ...VALID, headers: { authorization: 'x' }, authentication: { method: 'bearer', token: 'x' } },
      ['authentication invalid'],
    ],
    [
      'a bearer token with a space',
      { ...VALID, authentication: { method: 'bearer', token: 'a b' } },
      ['authentication.token invalid'],
    ],
    [
      'an unknown method',
      { ...VALID, authentication: { method: 'ntlm' } },
      ['authentication.method invalid_union'],
    ],
    [
      'a client certificate that is none',
      { ...VALID, clientCertificate: 'x' },
      ['clientCertificate invalid'],
    ],
    [
      'a text to send in a protocol that has its own',
      { ...VALID, type: 'tcp', url: 'a.test:25', protocol: 'smtp', send: 'NOOP\r\n' },
      ['send invalid'],
    ],
    ['a body with GET', { ...VALID, body: 'x' }, ['body invalid']],
    ['a body of 64 KiB and a byte', { ...VALID, method: 'POST', body: 'x'.repeat(65_537) }, ['body invalid']],
    ['a body over 64 KiB in UTF-8', { ...VALID, method: 'POST', body: 'ä'.repeat(32_769) }, ['body invalid']],
    ['21 tags', { ...VALID, tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, ['tags too_big']],
    ['21 assertions', { ...VALID, assertions: Array(21).fill(STATUS) }, ['assertions too_big']],
    [
      'an unknown source',
      { ...VALID, assertions: [{ ...STATUS, source: 'x' }] },
      ['assertions.0.source invalid_value'],
    ],
    [
      'a comparison that the source does not have',
      { ...VALID, assertions: [STATUS, { ...STATUS, comparison: 'matches' }] },
      ['assertions.1.comparison invalid'],
    ],
    [
      'a target of another kind',
      { ...VALID, assertions: [{ ...STATUS, target: 'x' }] },
      ['assertions.0.target invalid'],
    ],
    [
      'an object as target',
      { ...VALID, assertions: [{ ...STATUS, target: {} }] },
      ['assertions.0.target invalid_union'],
    ],
    [
      'an unknown part',
      { ...VALID, assertions: [{ ...STATUS, path: '$' }] },
      ['assertions.0.path unknown_key'],
    ],
    [
      'an assertion of another type',
      { ...VALID, type: 'ping', url: 'a.test', assertions: [STATUS] },
      ['assertions.0.source invalid'],
    ],
    [
      'assertions over 16 KiB',
      {
        ...VALID,
        assertions: Array(20).fill({
          ...STATUS,
          source: 'body',
          comparison: 'contains',
          target: 'x'.repeat(1000),
        }),
      },
      ['assertions invalid'],
    ],
    [
      'several errors',
      { name: '', url: 'ftp://x', interval: 45, body: 'x' },
      ['name too_small', 'interval invalid_value', 'url invalid', 'body invalid'],
    ],
  ])('is rejected with %s, naming each field', (_, body, expected) => {
    expect(errorsOf(body)).toEqual(expected);
  });

  it('is rejected as UNKNOWN_REGION if nothing else is wrong', () => {
    const codeOf = (body: object) => {
      try {
        parseInput(createMonitorSchema, body);
      } catch (error) {
        return error instanceof DomainError ? error.code : error;
      }
    };
    expect(codeOf({ ...VALID, regions: ['mars'] })).toBe('UNKNOWN_REGION');
    expect(codeOf({ ...VALID, regions: ['mars'], interval: 45 })).toBe('VALIDATION_ERROR');
  });
});

describe('a change of a monitor', () => {
  it('adds no defaults and ignores the read-only fields of a fetched monitor', () => {
    const fetched = { id: 'mon_1', status: 'down', uptimePercentage: 12.5, createdAt: 'x', updatedAt: 'y' };
    expect(parseInput(updateMonitorSchema, { ...fetched, name: ' New ' })).toEqual({ name: 'New' });
  });

  it('rejects unknown keys, and null for required values', () => {
    expect(errorsOf({ color: 'red', name: null }, updateMonitorSchema)).toEqual([
      'name invalid_type',
      'color unknown_key',
    ]);
  });
});
