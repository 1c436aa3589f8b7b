import { describe, expect, it } from 'vitest';
import { serveDns, type TestReply } from '@/lib/platform/net/testing/dns-server';
import { findClosedPort } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { createTarget, openEnvironment, strictEnvironment } from '../testing/target';

const address: TestReply = { answers: [{ type: 'A', name: 'a.test', data: '192.0.2.1' }] };

const records: NonNullable<TestReply['answers']> = [
  { type: 'A', name: 'a.test', data: '192.0.2.1' },
  { type: 'AAAA', name: 'a.test', data: '2001:db8::1' },
];
const check = (url: string, dnsServers: string[], changes: number | Partial<ProbeTarget> = {}) =>
  probe(createTarget('dns', url, typeof changes === 'number' ? { timeout: changes } : changes), {
    ...openEnvironment,
    dnsServers,
  });

describe('a dns check', () => {
  it('is ok if the name has an A record', async () => {
    const { server } = await serveDns(() => address);
    expect(await check('a.test', [server])).toMatchObject({
      outcome: 'ok',
      responseTime: expect.any(Number),
      phases: { dns: expect.any(Number) },
    });
  });

  it('is ok if a plain name has only an AAAA record', async () => {
    const { server } = await serveDns(({ type }) =>
      type === 'AAAA' ? { answers: [{ type: 'AAAA', name: 'a.test', data: '2001:db8::1' }] } : {},
    );
    expect(await check('a.test', [server])).toMatchObject({ outcome: 'ok' });
  });

  it.each<[sound: 'A' | 'AAAA', broken: 'A' | 'AAAA', rcode: 'SERVFAIL' | 'REFUSED' | 'NXDOMAIN']>([
    ['A', 'AAAA', 'SERVFAIL'],
    ['AAAA', 'A', 'REFUSED'],
    ['AAAA', 'A', 'NXDOMAIN'],
  ])(
    'of a plain name with a record of type %s is degraded if %s is %s, tested or saved',
    async (...given) => {
      const [sound, broken, rcode] = given;
      const answers = records.filter(({ type }) => type === sound);
      const { server } = await serveDns(({ type }) => (type === broken ? { rcode } : { answers }));
      const message = `there is a record of type ${sound}, but the query for ${broken} failed: resolver ${server} returned ${rcode}`;
      for (const observe of [undefined, () => {}]) {
        const env = { ...openEnvironment, dnsServers: [server], observe };
        expect(await probe(createTarget('dns', 'a.test'), env)).toMatchObject({
          outcome: 'ok',
          networkFailure: false,
          error: { code: 'dns', message },
        });
      }
    },
  );

  it('of a plain name is degraded if the other query gets no response', async () => {
    const { server } = await serveDns(({ type }) => (type === 'A' ? address : null));
    expect(await check('a.test', [server], 0.2)).toMatchObject({
      outcome: 'ok',
      error: {
        code: 'timeout',
        message: expect.stringMatching(/^there is a record of type A, but .* AAAA /),
      },
    });
  });

  it('fails with the error if the other query has no record', async () => {
    const { server } = await serveDns(({ type }) => (type === 'A' ? {} : { rcode: 'SERVFAIL' }));
    expect(await check('a.test', [server])).toMatchObject({
      outcome: 'failed',
      networkFailure: true,
      error: { code: 'dns', message: `resolver ${server} returned SERVFAIL` },
    });
  });

  it('queries the type given in the URI', async () => {
    const { server } = await serveDns(({ type }) =>
      type === 'MX'
        ? { answers: [{ type: 'MX', name: 'a.test', data: { preference: 1, exchange: 'm.test' } }] }
        : {},
    );
    expect(await check('dns:a.test?type=mx', [server])).toMatchObject({ outcome: 'ok' });
    expect(await check('dns:a.test?type=TXT', [server])).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: { code: 'no_record', message: 'a.test has no TXT record' },
    });
  });

  it('does not mistake an alias for the record', async () => {
    const { server } = await serveDns(() => ({
      answers: [{ type: 'CNAME', name: 'a.test', data: 'b.test' }],
    }));
    expect((await check('a.test', [server])).error?.message).toBe('a.test has no A or AAAA record');
    expect(await check('dns:a.test?type=CNAME', [server])).toMatchObject({ outcome: 'ok' });
  });

  const alias = (name: string, data: string) => ({ type: 'CNAME' as const, name, data });

  it.each(['a.test', 'dns:a.test?type=A'])(
    'names what an alias leads to that does not exist: %s',
    async (url) => {
      const answers = [alias('a.test', 'b.test'), alias('b.test', 'gone.test')];
      const { server } = await serveDns(() => ({ rcode: 'NXDOMAIN', answers }));
      expect((await check(url, [server])).error?.message).toBe(
        'a.test is an alias for gone.test, which does not exist (NXDOMAIN)',
      );
    },
  );

  const record = (name: string) => ({ type: 'A' as const, name, data: '192.0.2.1' });
  const chain = (length: number) =>
    Array.from({ length }, (_, index) =>
      alias(index === 0 ? 'a.test' : `${index}.test`, `${index + 1}.test`),
    );

  it.each<[what: string, answers: TestReply['answers']]>([
    ['spelled in another case', [record('A.tEsT')]],
    ['behind an alias', [alias('a.test', 'b.test'), record('b.test')]],
    [
      'behind aliases in any order and case',
      [record('C.test'), alias('b.test', 'c.test'), alias('A.test', 'B.test')],
    ],
    ['behind 16 aliases', [...chain(16), record('16.test')]],
    ['among records of other names', [record('other.test'), record('a.test')]],
  ])('finds the record %s', async (_what, answers) => {
    const { server } = await serveDns(() => ({ answers }));
    expect(await check('a.test', [server])).toMatchObject({ outcome: 'ok' });
  });

  it.each<[what: string, answers: TestReply['answers']]>([
    ['is another name’s', [record('other.test')]],
    ['is a parent’s', [record('test')]],
    ['is a child’s', [record('www.a.test')]],
    ['is behind another name’s alias', [alias('other.test', 'b.test'), record('b.test')]],
    ['is behind an alias that leads elsewhere', [alias('a.test', 'b.test'), record('c.test')]],
    ['is behind aliases in a loop', [alias('a.test', 'b.test'), alias('b.test', 'a.test'), record('c.test')]],
    ['is behind an alias of itself', [alias('a.test', 'a.test'), record('b.test')]],
    ['is behind too many aliases', [...chain(17), record('17.test')]],
  ])('does not accept a record that %s', async (_what, answers) => {
    const { server } = await serveDns(() => ({ answers }));
    expect(await check('dns:a.test?type=A', [server])).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: { code: 'no_record', message: 'a.test has no A record' },
    });
  });

  it('does not mistake another name’s alias for its own', async () => {
    const { server } = await serveDns(() => ({ answers: [alias('a.test', 'b.test')] }));
    expect(await check('dns:a.test?type=CNAME', [server])).toMatchObject({ outcome: 'ok' });
    expect(await check('dns:www.a.test?type=CNAME', [server])).toMatchObject({
      error: { message: 'www.a.test has no CNAME record' },
    });
  });

  it('immediately reports a refusal that does not repeat the question', async () => {
    const { server } = await serveDns(() => ({ rcode: 'REFUSED', withoutQuestion: true }));
    expect((await check('a.test', [server])).error).toMatchObject({
      code: 'dns',
      message: `resolver ${server} returned REFUSED`,
    });
  });

  it('does not accept records without a question', async () => {
    const { server } = await serveDns(() => ({ ...address, withoutQuestion: true }));
    expect(await check('a.test', [server], 1)).toMatchObject({ error: { code: 'timeout' } });
  });

  it('fails if the name does not exist', async () => {
    const { server } = await serveDns(() => ({ rcode: 'NXDOMAIN' }));
    expect(await check('a.test', [server])).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: { code: 'dns', message: 'a.test does not exist (NXDOMAIN)' },
    });
  });

  it('fails if the resolver fails, unless another one responds', async () => {
    const broken = await serveDns(() => ({ rcode: 'SERVFAIL' }));
    const sound = await serveDns(() => address);
    expect(await check('a.test', [broken.server])).toMatchObject({
      outcome: 'failed',
      networkFailure: true,
      address: '127.0.0.1',
      error: { code: 'dns', message: `resolver ${broken.server} returned SERVFAIL` },
    });
    expect(await check('a.test', [broken.server, sound.server])).toMatchObject({ outcome: 'ok' });
  });

  it.each<[what: string, reply: TestReply]>([
    ['does not exist', { rcode: 'NXDOMAIN' }],
    ['has no record', {}],
  ])('that expects no records is ok if the name %s', async (_what, reply) => {
    const { server } = await serveDns(() => reply);
    for (const url of ['a.test', 'dns:a.test?type=TXT']) {
      expect(await check(url, [server], { expectedAnswer: 'none' })).toMatchObject({
        outcome: 'ok',
        error: null,
      });
    }
  });

  it('that expects no records fails if there is one, which only members see', async () => {
    const { server } = await serveDns(() => ({ answers: records }));
    expect(await check('a.test', [server], { expectedAnswer: 'none' })).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: {
        code: 'unexpected_record',
        message: 'a.test has a record of type A or AAAA, expected none',
        detail: 'a.test has 192.0.2.1, 2001:db8::1, expected no record of type A or AAAA',
      },
    });
  });

  it('that expects no records fails if the server returns an error or does not respond', async () => {
    const broken = await serveDns(() => ({ rcode: 'SERVFAIL' }));
    const silent = await serveDns(() => null);
    const none = { expectedAnswer: 'none', timeout: 0.2 } as const;
    expect((await check('a.test', [broken.server], none)).error).toMatchObject({ code: 'dns' });
    expect((await check('a.test', [silent.server], none)).error).toMatchObject({ code: 'timeout' });
  });

  it('that expects no records knows that of a name that the system resolves', async () => {
    const resolver = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const env = { ...openEnvironment, resolver };
    expect(await probe(createTarget('dns', 'intranet', { expectedAnswer: 'none' }), env)).toMatchObject({
      outcome: 'ok',
    });
    expect((await probe(createTarget('dns', 'intranet'), env)).error).toEqual({
      code: 'dns',
      message: 'host name intranet does not exist',
    });
  });

  it('queries over TCP if the reply is too long for UDP', async () => {
    const { server, seen } = await serveDns(() => ({ ...address, truncated: true }));
    expect(await check('dns:a.test?type=A', [server])).toMatchObject({ outcome: 'ok' });
    expect(seen).toEqual({ udp: 1, tcp: 1 });
  });

  it('repeats the query if a packet is lost', async () => {
    const { server, seen } = await serveDns(() => ({ ...address, lose: 1 }));
    expect(await check('dns:a.test?type=A', [server])).toMatchObject({ outcome: 'ok' });
    expect(seen.udp).toBe(2);
  });

  it.each(['id', 'question'] as const)('does not accept a reply with a wrong %s', async (forged) => {
    const { server } = await serveDns(() => ({ ...address, forged }));
    expect(await check('a.test', [server], 1)).toMatchObject({
      outcome: 'failed',
      networkFailure: true,
      error: { code: 'timeout', message: 'no response within 1s while looking up a.test' },
    });
  });

  it('fails immediately if nothing is listening', async () => {
    const port = await findClosedPort();
    expect(await check('a.test', [`127.0.0.1:${port}`])).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: { code: 'connect', message: `resolver 127.0.0.1:${port} does not accept queries` },
    });
  });

  // Before, the process ended with it.
  it('fails immediately if there is no way to the resolver', async () => {
    // The system refuses to connect to the broadcast address, as it does without a route.
    expect(await check('dns:a.test?type=A', ['255.255.255.255'])).toMatchObject({
      outcome: 'failed',
      networkFailure: true,
      error: { code: 'connect' },
    });
  });

  it('queries the resolver given in the URI', async () => {
    const { port, seen } = await serveDns(() => address);
    expect(await check(`dns://127.0.0.1:${port}/a.test?type=A`, [])).toMatchObject({ outcome: 'ok' });
    expect(seen.udp).toBe(1);
  });

  it('may query the configured resolver under every policy', async () => {
    const { server, port } = await serveDns(() => address);
    const env = { ...strictEnvironment, dnsServers: [server] };
    expect(await probe(createTarget('dns', 'a.test'), env)).toMatchObject({ outcome: 'ok' });
    expect(await probe(createTarget('dns', `dns://127.0.0.1:${port}/a.test`), env)).toMatchObject({
      outcome: 'ok',
    });
  });

  it.each(['intranet', 'dns:intranet?type=A', 'dns://{own}/intranet?type=A', 'a.localhost'])(
    'does not query internal servers for the local name of %s under the public policy',
    async (url) => {
      const { server, seen } = await serveDns(() => address);
      const target = createTarget('dns', url.replace('{own}', server));
      expect(await probe(target, { ...strictEnvironment, dnsServers: [server] })).toMatchObject({
        outcome: 'unknown',
        error: { code: 'blocked', message: 'this target address is not allowed' },
      });
      expect(seen).toEqual({ udp: 0, tcp: 0 });
    },
  );

  it('leaves localhost to the system', async () => {
    expect(await check('localhost', ['127.0.0.1:1'])).toMatchObject({ outcome: 'ok' });
  });

  it.each(['dns:a.test?type=AXFR', 'dns://', 'http://a.test', 'dns:a.test?class=CH', ''])(
    'rejects %s',
    async (url) => {
      expect(await check(url, [])).toMatchObject({ outcome: 'failed', error: { code: 'protocol' } });
    },
  );

  it.each([`${'a'.repeat(64)}.test`, 'a..test'])('fails for %s, which is not a valid name', async (url) => {
    expect(await check(url, ['127.0.0.1:1'])).toMatchObject({
      outcome: 'failed',
      error: { code: 'protocol' },
    });
  });
});
