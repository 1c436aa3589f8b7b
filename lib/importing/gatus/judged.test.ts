import type { Answer } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import { findFailure } from '@/lib/checks/assertions/evaluate';
import { NOTHING_OBSERVED } from '@/lib/checks/assertions/observed';
import { parseDnsTarget } from '@/lib/checks/dns/dns';
import { formatRecord } from '@/lib/checks/dns/probe-record';
import { expectsStatus } from '@/lib/checks/http/probe-assertions';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { importText, onlyItem } from '../testing/import-text';

// The verdicts are those of Gatus: its README and config/endpoint/condition_test.go, and for the others its functions, run with the
// same responses (https://github.com/TwiN/gatus, 08c46354).

type HttpResponse = { status?: number; body?: string; ms?: number; certificateHours?: number };

const importEndpoint = async (endpoint: object) =>
  onlyItem(await importText('gatus', { endpoints: [{ name: 'api', ...endpoint }] }));

async function importMonitor(endpoint: object) {
  return parseInput(createMonitorSchema, (await importEndpoint(endpoint)).monitor);
}

/** Whether a check of the imported endpoint succeeds with a response. */
async function judgeHttp(condition: string, response: HttpResponse): Promise<boolean> {
  const monitor = await importMonitor({ url: 'https://api.example.com/', conditions: [condition] });
  const { status = 200, body = '', ms = 20, certificateHours } = response;
  const observed = {
    ...NOTHING_OBSERVED,
    status,
    body,
    responseTime: ms,
    size: body.length,
    certificateDays: certificateHours === undefined ? null : Math.floor(certificateHours / 24),
  };
  return expectsStatus(monitor, status) && findFailure(monitor.assertions, observed) === null;
}

const json = (value: unknown): HttpResponse => ({ body: JSON.stringify(value) });

describe('a condition on an HTTP response is judged as Gatus judges it', () => {
  it.each<[condition: string, holdsFor: HttpResponse, failsFor: HttpResponse]>([
    ['[STATUS] == 200', { status: 200 }, { status: 201 }],
    ['200 == [STATUS]', { status: 200 }, { status: 404 }],
    ['[STATUS] != 500', { status: 200 }, { status: 500 }],
    ['[STATUS] < 300', { status: 201 }, { status: 404 }],
    ['300 > [STATUS]', { status: 299 }, { status: 300 }],
    ['[STATUS] <= 299', { status: 299 }, { status: 404 }],
    ['[STATUS] > 400', { status: 404 }, { status: 400 }],
    ['[STATUS] >= 400', { status: 400 }, { status: 200 }],
    ['[STATUS] == any(200, 429)', { status: 429 }, { status: 400 }],
    ['[STATUS] != any(500, 503)', { status: 502 }, { status: 503 }],
    ['[STATUS] == pat(2*)', { status: 204 }, { status: 404 }],
    ['[STATUS] != pat(5??)', { status: 404 }, { status: 503 }],
    ['[RESPONSE_TIME] < 500', { ms: 499, status: 503 }, { ms: 500 }],
    ['[RESPONSE_TIME] <= 500', { ms: 500 }, { ms: 501 }],
    ['[RESPONSE_TIME] > 500', { ms: 750 }, { ms: 500 }],
    ['[RESPONSE_TIME] >= 500', { ms: 500 }, { ms: 499 }],
    ['[RESPONSE_TIME] < 1s', { ms: 50 }, { ms: 1000 }],
    ['1m30s >= [RESPONSE_TIME]', { ms: 90_000 }, { ms: 90_001 }],
    ['[CERTIFICATE_EXPIRATION] > 48h', { certificateHours: 49 }, { certificateHours: 47 }],
    ['[CERTIFICATE_EXPIRATION] >= 240h', { certificateHours: 240 }, { certificateHours: 239 }],
    ['[CERTIFICATE_EXPIRATION] < 720h', { certificateHours: 719 }, { certificateHours: 721 }],
    ['[BODY] == test', { body: ' test\n' }, { body: 'tests' }],
    ['[BODY] == 1', { body: '1' }, { body: '{}' }],
    ['[BODY] == a.b', { body: 'a.b' }, { body: 'axb' }],
    ['[BODY] != Error', { body: 'fine', status: 500 }, { body: 'Error' }],
    ['[BODY] == any(UP, OK)', { body: 'OK' }, { body: 'DOWN' }],
    ['[BODY] != any(DOWN, BAD)', { body: 'UP' }, { body: 'BAD' }],
    ['[BODY] == pat(*Welcome*)', { body: '<p>\nWelcome\n</p>' }, { body: 'welcome' }],
    ['[BODY] != pat(*Error*)', { body: 'fine' }, { body: 'an Error here' }],
    ['[BODY] == pat(OK*)', { body: '\nOK 12' }, { body: 'NOT OK' }],
    ['[BODY] == pat(*done)', { body: 'all\ndone\n' }, { body: 'done so far' }],
    ['[BODY] == pat(a?c)', { body: 'abc' }, { body: 'abbc' }],
    ['[BODY] == pat(*<html>*</html>*)', { body: '<html>a</html>' }, { body: '<html>a' }],
    ['[BODY] == ', { body: '\n' }, { body: 'a' }],
    ['has([BODY]) == true', { body: 'a' }, { body: ' \n' }],
    ['has([BODY]) == false', { body: ' ' }, { body: 'a' }],
    ['[BODY] < 124', { body: '123' }, { body: '124' }],
    ['[BODY] > 122', { body: '123' }, { body: '100' }],
    ['[BODY].status == UP', json({ status: 'UP' }), json({ status: 'DOWN' })],
    ['[body].status == UP', json({ status: 'UP' }), json({ Status: 'UP' })],
    ['UP == [BODY].status', json({ status: 'UP' }), json({ status: 'up' })],
    ['[BODY].status != DOWN', json({ status: 'UP' }), json({ status: 'DOWN' })],
    ['[BODY].status != any(DOWN, BAD)', json({ status: 'UP' }), json({ status: 'BAD' })],
    ['[BODY].data.name == john', json({ data: { name: 'john' } }), json({ data: { id: 1 } })],
    ['[BODY].data[0].id == 1', json({ data: [{ id: 1 }] }), json({ data: [{ id: 2 }] })],
    ['[BODY][1].id == 1', json([{}, { id: '1' }]), json([{ id: 1 }])],
    ['[BODY].id == any(1, 2)', json({ id: 2 }), json({ id: 3 })],
    ['[BODY].ok == true', json({ ok: true }), json({ ok: false })],
    ['[BODY].ok == false', json({ ok: 'false' }), json({ ok: null })],
    ['[BODY].price == 1.5', json({ price: 1.5 }), json({ price: 1.25 })],
    ['[BODY].id == 123456', json({ id: 123_456 }), json({ id: 123_457 })],
    // Go writes a million as 1e+06.
    ['[BODY].id == 1234567', json({ id: '1234567' }), json({ id: 1_234_567 })],
    ['[BODY].id == 1e+06', json({ id: 1_000_000 }), json({ id: '1000000' })],
    ['[BODY].id != 1234567', json({ id: 1_234_567 }), json({ id: '1234567' })],
    ['[BODY].name == pat(john*)', json({ name: 'john.doe' }), json({ name: 'bob' })],
    ['[BODY].name != pat(john*)', json({ name: 'bob' }), json({ name: 'john.doe' })],
    ['[BODY].text == a || b', json({ text: 'a || b' }), json({ text: 'a' })],
    // What follows a second operator is ignored.
    ['[BODY].text == a == b', json({ text: 'a' }), json({ text: 'a == b' })],
    ['[BODY].depth < 50', json({ depth: 49.5 }), json({ depth: 50 })],
    ['[BODY].depth >= 50', json({ depth: 50 }), json({ depth: 49 })],
    ['[BODY].depth > 50', json({ depth: '51' }), json({ depth: 50 })],
    ['len([BODY].data) < 5', json({ data: [1] }), json({ data: [1, 2, 3, 4, 5] })],
    ['len([BODY].data) == 2', json({ data: [1, 2] }), json({ data: [1] })],
    ['len([BODY].data) != 0', json({ data: [1] }), json({ data: [] })],
    ['len([BODY].name) == 8', json({ name: 'john.doe' }), json({ name: 'bob' })],
    ['has([BODY].errors) == false', json({ name: 'a' }), json({ errors: [] })],
    ['has([BODY].errors) != true', json({ errors: null }), json({ errors: ['a'] })],
    ['has([BODY].users) == true', json({ users: [] }), json({ users: null })],
    ['has([BODY].users[0].name) == true', json({ users: [{ name: 'a' }] }), json({ users: [{}] })],
  ])('%s', async (condition, holdsFor, failsFor) => {
    expect([await judgeHttp(condition, holdsFor), await judgeHttp(condition, failsFor)]).toEqual([
      true,
      false,
    ]);
  });
});

/** Records of a name, in the order of the response. */
const records = (type: string, ...data: unknown[]): Answer[] =>
  data.map((each) => ({ type, name: 'example.com', data: each }) as Answer);

async function judgeDns(condition: string, type: string, answers: readonly Answer[]): Promise<boolean> {
  const dns = { 'query-name': 'example.com', 'query-type': type };
  const monitor = await importMonitor({ url: '192.0.2.53', dns, conditions: [condition] });
  if ((monitor.expectedAnswer === 'none') !== (answers.length === 0)) return false;
  const recordType = parseDnsTarget(monitor.url)?.type ?? null;
  const observed = { ...NOTHING_OBSERVED, records: answers.map(formatRecord), recordType };
  return findFailure(monitor.assertions, observed) === null;
}

const A = (...data: string[]) => records('A', ...data);
const MX = (exchange: string) => records('MX', { preference: 10, exchange });
const SRV = (port: number, target: string) => records('SRV', { priority: 0, weight: 5, port, target });

describe('a condition on the records of a name is judged as Gatus judges it', () => {
  it.each<[type: string, condition: string, holdsFor: Answer[], failsFor: Answer[]]>([
    ['A', '[DNS_RCODE] == NOERROR', A('192.0.2.1'), A()],
    ['A', '[DNS_RCODE] == NXDOMAIN', A(), A('192.0.2.1')],
    ['A', '[BODY] == 192.0.2.1', A('192.0.2.1'), A('192.0.2.10')],
    ['A', '[BODY] != 192.0.2.1', A('192.0.2.2'), A('192.0.2.1')],
    ['A', '[BODY] == any(192.0.2.1, 192.0.2.2)', A('192.0.2.3', '192.0.2.2'), A('192.0.2.3')],
    ['A', '[BODY] != any(192.0.2.1, 192.0.2.2)', A('192.0.2.3'), A('192.0.2.2')],
    ['A', '[BODY] == pat(192.0.2.*)', A('192.0.2.3'), A('198.51.100.3')],
    ['A', '[BODY] == pat(*.2.*)', A('192.0.2.3'), A('198.51.100.3')],
    ['A', '[BODY] != pat(192.0.2.?)', A('192.0.2.33'), A('192.0.2.3')],
    ['A', 'len([BODY]) > 0', A('192.0.2.1'), A()],
    ['A', 'len([BODY]) == 0', A(), A('192.0.2.1')],
    ['A', 'len([BODY]) == 9', A('192.0.2.1'), A('192.0.2.10')],
    ['A', 'len([BODY]) >= 10', A('192.0.2.10'), A('192.0.2.1')],
    ['A', 'len([BODY]) < 10', A('192.0.2.1'), A('192.0.2.10')],
    ['A', 'has([BODY]) == true', A('192.0.2.1'), A()],
    ['AAAA', '[BODY] == 2001:db8::1', records('AAAA', '2001:db8::1'), records('AAAA', '2001:db8::2')],
    [
      'CNAME',
      '[BODY] == a.example.net.',
      records('CNAME', 'a.example.net'),
      records('CNAME', 'b.example.net'),
    ],
    [
      'NS',
      '[BODY] == pat(ns?.example.com.)',
      records('NS', 'ns1.example.com'),
      records('NS', 'ns10.example.com'),
    ],
    [
      'NS',
      '[BODY] == pat(*example.com*)',
      records('NS', 'ns1.example.com'),
      records('NS', 'ns1.example.net'),
    ],
    ['NS', 'len([BODY]) == 16', records('NS', 'ns1.example.com'), records('NS', 'ns10.example.com')],
    ['PTR', '[BODY] != a.example.net.', records('PTR', 'b.example.net'), records('PTR', 'a.example.net')],
    ['MX', '[BODY] == mail.example.com.', MX('mail.example.com'), MX('mail2.example.com')],
    ['MX', '[BODY] == any(a.example.com., b.example.com.)', MX('b.example.com'), MX('c.example.com')],
    ['MX', '[BODY] != pat(10*)', MX('mail.example.com'), MX('10.example.com')],
    ['MX', 'len([BODY]) <= 14', MX('a.example.com'), MX('ab.example.com')],
    ['SRV', '[BODY] == sip.example.com.:5060', SRV(5060, 'sip.example.com'), SRV(5061, 'sip.example.com')],
    ['TXT', '[BODY] == a=b', records('TXT', ['a', '=b']), records('TXT', ['a=b '.repeat(2)])],
    ['TXT', '[BODY] == pat(*v=spf1*)', records('TXT', 'b', 'v=spf1 -all', 'a'), records('TXT', 'a', 'b')],
    ['TXT', '[BODY] != pat(*v=spf1*)', records('TXT', 'a', 'b'), records('TXT', 'v=spf1 -all', 'a')],
  ])('%s %s', async (type, condition, holdsFor, failsFor) => {
    const verdicts = [await judgeDns(condition, type, holdsFor), await judgeDns(condition, type, failsFor)];
    expect(verdicts).toEqual([true, false]);
  });

  it('where several records are judged in another way, with a sentence', async () => {
    const dns = { 'query-name': 'example.com', 'query-type': 'A' };
    const read = async (condition: string) =>
      (await importEndpoint({ url: '192.0.2.53', dns, conditions: [condition] })).changes;
    expect(await read('[BODY] == 192.0.2.1')).toEqual([
      'The condition on [BODY] is about each record: Gatus compares only the last one; in Pharos, one is enough.',
    ]);
    expect(await read('[BODY] != 192.0.2.1')).toEqual([
      expect.stringMatching(/Gatus compares only the last one; in Pharos, none may match\.$/),
      'A name without a record of the type is a failure in Pharos.',
    ]);
    expect(await read('has([BODY]) == true')).toEqual([]);
  });
});

/** The banner is empty if the server sends nothing, which is a failure in Gatus. */
async function judgeTcp(condition: string, banner: string): Promise<boolean> {
  const endpoint = { url: 'tcp://cache.example.com:6379', body: 'PING\r\n', conditions: [condition] };
  const monitor = await importMonitor(endpoint);
  expect(monitor.send).toBe('PING\r\n');
  return findFailure(monitor.assertions, { ...NOTHING_OBSERVED, banner }) === null;
}

describe('a condition on what a port sends is judged as Gatus judges it', () => {
  it.each([
    ['[CONNECTED] == true', '+PONG\r\n', ''],
    ['[BODY] == +PONG', '+PONG\r\n', '-ERR\r\n'],
    ['[BODY] == any(+PONG, +OK)', '+OK\r\n', '+OKAY\r\n'],
    ['[BODY] == pat(*PONG*)', '+PONG\r\n', '-ERR\r\n'],
    ['[BODY] == pat(+*)', '+PONG\r\n', '-ERR\r\n'],
    ['[BODY] != pat(-*)', '+PONG\r\n', '-ERR\r\n'],
    ['has([BODY]) == true', '+PONG\r\n', '\r\n'],
    ['len([BODY]) > 6', '+PONG\r\n', '+OK\r\n'],
    ['len([BODY]) != 7', '+OK\r\n', '+PONG\r\n'],
  ])('%s', async (condition, holdsFor, failsFor) => {
    expect([await judgeTcp(condition, holdsFor), await judgeTcp(condition, failsFor)]).toEqual([true, false]);
  });
});

const JOINED = /^1 condition with \|\| or && is not imported: Gatus has no such operators/;

describe('a condition that Pharos cannot judge is named', () => {
  const HTTP = { url: 'https://api.example.com/' };
  const dns = (type: string) => ({
    url: '192.0.2.53',
    dns: { 'query-name': 'a.example', 'query-type': type },
  });
  it.each([
    ['[IP] == 127.0.0.1', HTTP, /\[IP\] is not imported/],
    ['[DOMAIN_EXPIRATION] > 720h', HTTP, /\[DOMAIN_EXPIRATION\] is not imported/],
    ['[RESPONSE_TIME] < potato', HTTP, /\[RESPONSE_TIME\] is not imported: it is not compared with a time/],
    ['[BODY].age == [BODY].id', HTTP, /1 condition of an unknown form/],
    ['len([BODY]) > 5', HTTP, /it counts items if the body is a JSON array/],
    ['[BODY].a == pat(?[a-c]*)', HTTP, /its pattern has no counterpart/],
    ['[CERTIFICATE_EXPIRATION] > 48h', { url: 'tcp://a.example:993' }, /certificates only with HTTP and TLS/],
    ['[CERTIFICATE_EXPIRATION] > 48h', { url: 'ssh://a.example' }, /certificates only with HTTP and TLS/],
    [
      '[BODY].status == SERVING',
      { url: 'grpc://a.example:1' },
      /\[BODY\]\.status is not imported: .* JSON only/,
    ],
    ['[BODY] == +PONG', { url: 'tcp://a.example:1' }, /TCP if the endpoint has a body to send/],
    ['[DNS_RCODE] == any(NOERROR, NXDOMAIN)', dns('A'), /\[DNS_RCODE\] is not imported/],
    ['[BODY] == pat(*letsencrypt*)', dns('CAA'), /Gatus does not read records of this type/],
    ['[BODY] == mail.example.com', dns('MX'), /a host name that ends with a dot/],
    ['[BODY].a == b', dns('TXT'), /JSON only with HTTP/],
    ['[BODY] > 5', dns('A'), /does not order text/],
  ])('%s of %j', async (condition, endpoint, sentence) => {
    const { monitor, changes } = await importEndpoint({
      ...endpoint,
      conditions: [condition, '[CONNECTED] == true'],
    });
    expect(changes).toContainEqual(expect.stringMatching(sentence));
    expect(monitor?.assertions?.filter(({ source }) => source !== 'status')).toEqual([]);
  });

  it.each([
    ['[STATUS] == 200 || [STATUS] == 301', JOINED],
    ['([STATUS] == 200) && ([BODY].status == UP)', JOINED],
    ['[STATUS] < 300 || len([BODY].errors) == 0', JOINED],
    ['[STATUS] == 200 || 301', /\[STATUS\] is not imported/],
    ['[STATUS] == [BODY].status', /unknown form/],
    ['[STATUS]==200', /unknown form/],
    ['[STATUS] == 0200', /\[STATUS\] is not imported/],
    ['len([STATUS]) == 3', /len\(\[STATUS\]\) is not imported/],
  ])('and %s about the status leaves 200', async (condition, sentence) => {
    const { monitor, changes } = await importEndpoint({ ...HTTP, conditions: [condition] });
    expect(changes).toContainEqual(expect.stringMatching(sentence));
    expect(changes).toContain(
      'The check expects the status 200, because no condition on [STATUS] is imported.',
    );
    expect(monitor).toMatchObject({ expectedStatusCode: 200, assertions: [] });
  });

  it('next to one about the status that can be read', async () => {
    const conditions = ['[STATUS] < 300', '[STATUS] == 200 || [STATUS] == 301'];
    const { monitor, changes } = await importEndpoint({ ...HTTP, conditions });
    expect(monitor?.assertions).toMatchObject([{ source: 'status', target: ['100-299'] }]);
    expect(changes).toEqual([expect.stringMatching(JOINED)]);
  });
});
