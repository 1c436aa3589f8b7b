import { describe, expect, it } from 'vitest';
import { serveDns, type TestReply } from '@/lib/platform/net/testing/dns-server';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const record = (
  comparison: Assertion['comparison'],
  target: Assertion['target'],
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
    ['PTR', { type: 'PTR', name, data: 'host.test' }, 'host.test'],
    [
      'TLSA',
      {
        type: 'TLSA',
        name,
        data: { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('8cb0fc6c', 'hex') },
      },
      '3 1 1 8cb0fc6c',
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

  it.each<[type: string, answer: NonNullable<TestReply['answers']>[number], expected: string]>([
    ['CNAME', { type: 'CNAME', name, data: 'B.test' }, 'b.TEST.'],
    ['MX', { type: 'MX', name, data: { preference: 10, exchange: 'Mail.test' } }, '10  mail.test.'],
    [
      'SRV',
      { type: 'SRV', name, data: { priority: 1, weight: 2, port: 3, target: 's.test' } },
      '1 2 3 S.test.',
    ],
    ['AAAA', { type: 'AAAA', name, data: '2001:db8::1' }, '2001:DB8:0:0:0:0:0:1'],
    ['TXT', { type: 'TXT', name, data: ['v=spf1 ', '-all'] }, '"v=spf1 -all"'],
    ['TXT', { type: 'TXT', name, data: ['v=spf1 ', '-all'] }, '"v=spf1 " "-all"'],
    ['TXT', { type: 'TXT', name, data: ['say "hi"'] }, '"say \\"hi\\""'],
    ['TXT', { type: 'TXT', name, data: ['"kept"'] }, '"kept"'],
    ['CAA', { type: 'CAA', name, data: { flags: 0, tag: 'issue', value: 'ca.test' } }, '0 issue ca.test'],
    [
      'TLSA',
      {
        type: 'TLSA',
        name,
        data: { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('8cb0fc6c8cb0', 'hex') },
      },
      '3 1 1 8CB0FC6C 8CB0',
    ],
  ])('of a record of type %s sees what means the same', async (type, answer, expected) => {
    expect(await check(type, [answer], [record('equals', expected)])).toMatchObject({ outcome: 'ok' });
    expect(await check(type, [answer], [record('oneOf', ['x', expected])])).toMatchObject({ outcome: 'ok' });
    expect(await check(type, [answer], [record('contains', expected)])).toMatchObject({ outcome: 'ok' });
    expect(await check(type, [answer], [record('notEquals', expected)])).toMatchObject({ outcome: 'failed' });
    expect(await check(type, [answer], [record('notContains', expected)])).toMatchObject({
      outcome: 'failed',
    });
  });

  it.each<[type: string, answer: NonNullable<TestReply['answers']>[number], expected: string]>([
    ['TXT', { type: 'TXT', name, data: ['Token=aB'] }, 'token=ab'],
    ['TXT', { type: 'TXT', name, data: ['ends.'] }, 'ends'],
    ['CNAME', { type: 'CNAME', name, data: 'b.test' }, 'c.b.test'],
  ])('of a record of type %s does not mistake another text for it', async (type, answer, expected) => {
    expect(await check(type, [answer], [record('equals', expected)])).toMatchObject({ outcome: 'failed' });
    expect(await check(type, [answer], [record('notEquals', expected)])).toMatchObject({ outcome: 'ok' });
  });
});
