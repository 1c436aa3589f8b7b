import { describe, expect, it } from 'vitest';
import { serveDns, type TestReply } from '@/lib/platform/net/testing/dns-server';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const record = (
  comparison: Assertion['comparison'],
  target: string | number,
  property: string | null = null,
): Assertion => ({ source: 'record', property, comparison, target });

async function check(type: string, answers: TestReply['answers'], assertions: Assertion[]) {
  const { server } = await serveDns((question) => ({
    answers: answers?.filter((each) => each.type === question.type),
  }));
  const url = type === '' ? 'a.test' : `dns:a.test?type=${type}`;
  return probe(createTarget('dns', url, { assertions }), { ...openEnvironment, dnsServers: [server] });
}

const name = 'a.test';

describe('a dns check with assertions about records', () => {
  it.each<[string, NonNullable<TestReply['answers']>[number], string]>([
    ['A', { type: 'A', name, data: '192.0.2.1' }, '192.0.2.1'],
    ['AAAA', { type: 'AAAA', name, data: '2001:db8::1' }, '2001:db8::1'],
    ['CNAME', { type: 'CNAME', name, data: 'b.test' }, 'b.test'],
    ['NS', { type: 'NS', name, data: 'ns.test' }, 'ns.test'],
    ['MX', { type: 'MX', name, data: { preference: 10, exchange: 'm.test' } }, '10 m.test'],
    ['TXT', { type: 'TXT', name, data: ['v=spf1 ', '-all'] }, 'v=spf1 -all'],
    [
      'SRV',
      { type: 'SRV', name, data: { priority: 1, weight: 2, port: 3, target: 's.test' } },
      '1 2 3 s.test',
    ],
    ['CAA', { type: 'CAA', name, data: { flags: 0, tag: 'issue', value: 'ca.test' } }, '0 issue "ca.test"'],
  ])('compares the text of a record of type %s', async (type, answer, text) => {
    expect(await check(type, [answer], [record('equals', text)])).toMatchObject({ outcome: 'ok' });
    expect((await check(type, [answer], [record('equals', 'other')])).error).toMatchObject({
      code: 'assertion',
      message: 'assertion 1 failed: DNS record is not the expected value',
      detail: `DNS record is “${text}”, expected “other”`,
    });
  });

  it('is satisfied by any of several records, and counts them', async () => {
    const both: TestReply['answers'] = ['192.0.2.1', '192.0.2.2'].map((data) => ({ type: 'A', name, data }));
    expect(await check('A', both, [record('equals', '192.0.2.2')])).toMatchObject({ outcome: 'ok' });
    expect(await check('A', both, [record('equals', 2, 'count')])).toMatchObject({ outcome: 'ok' });
    expect(await check('A', both, [record('notEquals', '192.0.2.2')])).toMatchObject({ outcome: 'failed' });
  });

  it('sees the addresses of both kinds of a plain host name', async () => {
    const both: TestReply['answers'] = [
      { type: 'A', name, data: '192.0.2.1' },
      { type: 'AAAA', name, data: '2001:db8::1' },
    ];
    expect(await check('', both, [record('contains', 'db8'), record('equals', 2, 'count')])).toMatchObject({
      outcome: 'ok',
    });
  });

  it('still fails without a record', async () => {
    expect((await check('A', [], [record('notEquals', 'x')])).error?.code).toBe('no_record');
  });
});
