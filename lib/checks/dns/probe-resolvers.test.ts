import { describe, expect, it } from 'vitest';
import { serveDns, type TestReply } from '@/lib/platform/net/testing/dns-server';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { Assertion } from '../assertions/assertion';
import type { Observed } from '../assertions/observed';
import { probe } from '../probe';
import { createTarget, openEnvironment, strictEnvironment } from '../testing/target';

const answer = (data: string): TestReply => ({ answers: [{ type: 'A', name: 'a.test', data }] });
const OLD = answer('192.0.2.1');
const NEW = answer('192.0.2.2');
const BROKEN: TestReply = { rcode: 'SERVFAIL' };
const isNew: Assertion = { source: 'record', property: null, comparison: 'equals', target: '192.0.2.2' };

/** Servers that reply this, in order; null: not at all. */
const serve = async (...replies: (TestReply | null)[]) =>
  Promise.all(replies.map(async (reply) => (await serveDns(() => reply)).server));

const check = (resolvers: string[], changes: Partial<ProbeTarget> = {}, env = openEnvironment) =>
  probe(createTarget('dns', 'dns:a.test?type=A', { resolvers, ...changes }), { ...env, evidenceOf: 'any' });

describe('a dns check at several resolvers', () => {
  it('is ok if all pass, whatever each of them responds', async () => {
    const servers = await serve(OLD, NEW);
    const result = await check(servers);
    expect(result).toMatchObject({ outcome: 'ok', error: null });
    const seen = result.evidence?.().dnsQueries.map(({ server, answers }) => [server, answers]);
    expect(seen).toEqual(
      [
        [servers[0], ['192.0.2.1']],
        [servers[1], ['192.0.2.2']],
      ].toSorted(),
    );
  });

  it('judges the response of each by the assertions, and names the one that fails', async () => {
    const servers = await serve(NEW, OLD, OLD);
    expect(await check(servers, { assertions: [isNew] })).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: {
        code: 'assertion',
        message: `assertion 1 failed: DNS record is not the expected value (resolver ${servers[1]}; 2 of 3 resolvers failed)`,
      },
    });
    expect(await check(servers, { assertions: [isNew], resolverMatch: 'any' })).toMatchObject({
      outcome: 'ok',
      error: null,
    });
  });

  it('needs one that passes if any is enough', async () => {
    const servers = await serve(BROKEN, OLD, { rcode: 'NXDOMAIN' });
    const any: Partial<ProbeTarget> = { assertions: [isNew], resolverMatch: 'any' };
    expect((await check(servers, any)).error?.message).toBe(
      `resolver ${servers[0]} returned SERVFAIL (resolver ${servers[0]}; 3 of 3 resolvers failed)`,
    );
    expect(await check(servers, { resolverMatch: 'any' })).toMatchObject({ outcome: 'ok' });
  });

  it('does not wait for others once one is enough', async () => {
    const servers = await serve(null, OLD);
    // Longer than the test may take.
    expect(await check(servers, { resolverMatch: 'any', timeout: 3600 })).toMatchObject({ outcome: 'ok' });
  });

  it('is a network failure only if none responds', async () => {
    const servers = await serve(BROKEN, BROKEN, OLD);
    expect(await check(servers.slice(0, 2))).toMatchObject({ outcome: 'failed', networkFailure: true });
    expect(await check(servers)).toMatchObject({ outcome: 'failed', networkFailure: false });
  });

  it('expects none of all of them', async () => {
    const servers = await serve({ rcode: 'NXDOMAIN' }, OLD);
    expect((await check(servers, { expectedAnswer: 'none' })).error?.code).toBe('unexpected_record');
    const none = await serve({ rcode: 'NXDOMAIN' }, {});
    expect(await check(none, { expectedAnswer: 'none' })).toMatchObject({ outcome: 'ok' });
  });

  it('asks the one in the URI too, each once', async () => {
    const [one, other] = [await serveDns(() => OLD), await serveDns(() => NEW)];
    const url = `dns://${one.server}/a.test?type=A`;
    const target = createTarget('dns', url, { resolvers: [one.server, other.server] });
    expect(await probe(target, openEnvironment)).toMatchObject({ outcome: 'ok' });
    expect([one.seen.udp, other.seen.udp]).toEqual([1, 1]);
  });

  it('shows of the one that decides what was seen', async () => {
    const servers = await serve(OLD, NEW);
    const seen: Observed[] = [];
    const env = { ...openEnvironment, observe: (observed: Observed) => void seen.push(observed) };
    await check(servers, { assertions: [isNew], resolverMatch: 'any' }, env);
    await check(servers, { assertions: [isNew] }, env);
    expect(seen.map(({ records }) => records)).toEqual([['192.0.2.2'], ['192.0.2.1']]);
  });

  it('is unknown if one may not be asked, unless another one fails or is enough', async () => {
    const servers = await serve(OLD, BROKEN);
    const env = { ...strictEnvironment, dnsServers: servers };
    const closed = '127.0.0.1:53535';
    expect(await check([servers[0] ?? '', closed], {}, env)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'blocked', message: `this target address is not allowed (resolver ${closed})` },
    });
    expect(await check([servers[1] ?? '', closed], {}, env)).toMatchObject({ outcome: 'failed' });
    expect(await check([servers[0] ?? '', closed], { resolverMatch: 'any' }, env)).toMatchObject({
      outcome: 'ok',
    });
  });
});
