import { describe, expect, it } from 'vitest';
import { serveDns, type TestReply } from '@/lib/platform/net/testing/dns-server';
import { findClosedPort } from '@/lib/platform/net/testing/servers';
import { findDomainRecord } from './verify-custom-domain';

const domain = 'status.acme.test';
const token = 'a1'.repeat(20);
const name = `_pharos.${domain}`;
const RIGHT = `pharos-verify=${token}`;

const txt = (...data: (string | string[])[]): TestReply => ({
  answers: data.map((text) => ({ type: 'TXT' as const, name, data: text })),
});
const look = (dnsServers: string[], needsProof = true) =>
  findDomainRecord({ domain, token }, { needsProof, dnsServers }, { timeoutMs: 400 });
const lookAt = async (reply: TestReply | null) => look([(await serveDns(() => reply)).server]);

describe('the record of a domain', () => {
  it('is queried on a subdomain of the domain', async () => {
    const { server } = await serveDns((question) =>
      question.name === name && question.type === 'TXT' ? txt(RIGHT) : { rcode: 'NXDOMAIN' },
    );
    expect(await look([server])).toEqual({ kind: 'found' });
  });

  it.each<[string, TestReply]>([
    ['alone', txt(RIGHT)],
    ['among others', txt('v=spf1 -all', RIGHT, 'other')],
    ['cut into several strings', txt([RIGHT.slice(0, 7), RIGHT.slice(7, 30), RIGHT.slice(30)])],
    ['with spaces around it', txt(` ${RIGHT} `)],
    ['too long for UDP', { ...txt(RIGHT), truncated: true }],
    [
      'behind an alias',
      {
        answers: [
          { type: 'CNAME', name, data: 'verify.acme.test' },
          { type: 'TXT', name: 'verify.acme.test', data: RIGHT },
        ],
      },
    ],
  ])('is found %s', async (_, reply) => {
    expect(await lookAt(reply)).toEqual({ kind: 'found' });
  });

  it.each<[string, TestReply, RegExp]>([
    [
      'there is no such name',
      { rcode: 'NXDOMAIN' },
      /^_pharos\.status\.acme\.test does not exist in DNS yet\.$/,
    ],
    ['the name has no TXT record', {}, /has no TXT record\.$/],
    ["it holds another page's token", txt(`pharos-verify=${'b2'.repeat(20)}`), /with a different value/],
    ['it holds a part of the token', txt(RIGHT.slice(0, -1)), /with a different value/],
    ['it holds more than the token', txt(`${RIGHT}0`), /with a different value/],
    [
      'two records make the token together',
      txt(RIGHT.slice(0, 20), RIGHT.slice(20)),
      /with a different value/,
    ],
    ['it holds the token in capitals', txt(RIGHT.toUpperCase()), /with a different value/],
    [
      'the record is another name’s',
      { answers: [{ type: 'TXT', name: domain, data: RIGHT }] },
      /has no TXT record\.$/,
    ],
    ['it is empty', txt(''), /with a different value/],
  ])('is missing if %s', async (_, reply, reason) => {
    expect(await lookAt(reply)).toEqual({ kind: 'missing', reason: expect.stringMatching(reason) });
  });

  it.each<[string, TestReply | null, RegExp]>([
    [
      'the name server fails',
      { rcode: 'SERVFAIL' },
      /could not be looked up: resolver .* returned SERVFAIL\.$/,
    ],
    ['the name server refuses', { rcode: 'REFUSED' }, /returned REFUSED\.$/],
    ['there is no response in time', null, /no response within 400 ms\.$/],
    ['the response is forged', { ...txt(RIGHT), forged: 'id' }, /no response within 400 ms\.$/],
  ])('is unclear if %s', async (_, reply, reason) => {
    expect(await lookAt(reply)).toEqual({ kind: 'unclear', reason: expect.stringMatching(reason) });
  });

  it('is unclear if no name server listens', async () => {
    expect(await look([`127.0.0.1:${await findClosedPort()}`])).toMatchObject({ kind: 'unclear' });
  });

  it('is not queried if no proof is needed', async () => {
    const { server, seen } = await serveDns(() => ({ rcode: 'NXDOMAIN' }));
    expect(await look([server], false)).toEqual({ kind: 'found' });
    expect(seen).toEqual({ udp: 0, tcp: 0 });
  });
});
