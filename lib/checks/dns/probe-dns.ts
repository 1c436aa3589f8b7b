import type { Answer } from 'dns-packet';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { DnsRecordType } from '@/lib/core/dns-record-types';
import { type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import { DnsFailureError, type DnsQuestion, listDnsServers, queryDns } from '@/lib/platform/net/dns-query';
import { BlockedTargetError } from '@/lib/platform/net/net-error';
import { resolveAllowed, systemResolver } from '@/lib/platform/net/resolve';
import { isNameAllowed, literalAddress } from '@/lib/platform/net/target-policy';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { ProbeEnvironment } from '../probe-environment';
import { createFailure, createJudgedResult, createResultOfError, wantsEvidence } from '../probe-result';
import type { ProbeResult } from '../result';
import { type DnsTarget, parseDnsTarget } from './dns';
import { type Reply, showReplies } from './probe-dns-evidence';
import { formatRecord } from './probe-record';

/**
 * Checks that a name has a record of the requested type, and that all assertions hold. A plain host name needs an A or AAAA record; a name
 * without a dot (`localhost`, a container name) is resolved by the system, since DNS servers do not know it.
 */
export async function probeDns(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const parsed = readQuery(target);
  if (parsed === null) return createFailure('protocol', 'the target is neither a host name nor a dns: URI');
  const begun = performance.now();
  const deadline = startDeadline(target.timeout * 1000, env.signal);
  const replies: Reply[] = [];
  try {
    const seen = isForSystem(parsed)
      ? await resolveLocally(parsed.name, env, deadline.signal)
      : await queryRecords(parsed, wantsAll(target, env), env, { signal: deadline.signal, replies });
    const responseTime = performance.now() - begun;
    const found = { responseTime, phases: { dns: responseTime } };
    const result =
      'code' in seen
        ? createFailure(seen.code, seen.message, { ...found, networkFailure: false })
        : createJudgedResult(target, env, found, () => ({
            responseTime: Math.round(responseTime),
            records: seen.records.map(formatRecord),
          }));
    if (wantsEvidence(result, env)) result.evidence = showReplies(replies, null);
    return result;
  } catch (error) {
    // A server that returns SERVFAIL was reached, so the watcher's own network works.
    const failure = error instanceof DnsFailureError ? error : null;
    const result = createResultOfError(error, { networkFailure: failure ? false : undefined });
    if (wantsEvidence(result, env)) result.evidence = showReplies(replies, failure);
    return result;
  } finally {
    deadline.release();
  }
}

type Records = { records: readonly (Answer | string)[] } | { code: 'dns' | 'no_record'; message: string };

/** Whether the records matter, not only that there is one. */
function wantsAll({ assertions }: ProbeTarget, { observe }: ProbeEnvironment): boolean {
  return observe !== undefined || assertions.some(({ source }) => source === 'record');
}

function isForSystem({ name, type, resolver }: DnsTarget): boolean {
  return type === null && resolver === null && (!name.includes('.') || /\.localhost$/i.test(name));
}

/** No connection is made, so every resolved address is allowed. */
async function resolveLocally(name: string, env: ProbeEnvironment, signal: StopSignal): Promise<Records> {
  requireAllowedName(name, env);
  const resolver = env.resolver ?? systemResolver;
  const policy = { mode: 'private', allowedCidrs: [] } as const;
  const { addresses } = await resolveAllowed({ host: name, policy, resolver, signal });
  return { records: addresses };
}

/** What to ask, and of whom. */
type DnsQuery = DnsTarget & { questions: DnsQuestion[] };

const readQuery = memoizeByObject(({ url }: ProbeTarget): DnsQuery | null => {
  const target = parseDnsTarget(url);
  if (target === null) return null;
  const types: DnsRecordType[] = target.type === null ? ['A', 'AAAA'] : [target.type];
  return { ...target, questions: types.map((type) => ({ name: target.name, type })) };
});

/** The records of the first type that has one, or of all types. */
async function queryRecords(
  target: DnsQuery,
  isForAll: boolean,
  env: ProbeEnvironment,
  { signal, replies }: { signal: StopSignal; replies: Reply[] },
): Promise<Records> {
  const servers = await chooseServers(target, env, signal);
  const { questions } = target;
  const records: Answer[] = [];
  for (const question of questions) {
    const reply = await queryDns({ question, servers, signal });
    replies.push({ question, ...reply });
    const { rcode, answers } = reply;
    if (rcode === 'NXDOMAIN') return { code: 'dns', message: `${target.name} does not exist (NXDOMAIN)` };
    records.push(...answers);
    if (records.length > 0 && !isForAll) return { records };
  }
  if (records.length > 0) return { records };
  return {
    code: 'no_record',
    message: `${target.name} has no ${questions.map(({ type }) => type).join(' or ')} record`,
  };
}

/** Our own resolver would reveal internal names. */
function requireAllowedName(name: string, { policy }: ProbeEnvironment): void {
  if (!isNameAllowed(name, policy)) throw new BlockedTargetError();
}

/** A resolver named in the URI is subject to the target policy unless this worker is configured to use it. */
async function chooseServers({ name, resolver }: DnsTarget, env: ProbeEnvironment, signal: StopSignal) {
  const configured = listDnsServers(env.dnsServers);
  const literal = resolver === null ? null : literalAddress(resolver.host);
  const known = configured.find(({ address, port }) => address === literal && port === resolver?.port);
  if (resolver === null || known) {
    requireAllowedName(name, env);
    return known ? [known] : configured;
  }
  const { addresses } = await resolveAllowed({
    host: resolver.host,
    policy: env.policy,
    resolver: env.resolver,
    signal,
  });
  return addresses.map((address) => ({ address, port: resolver.port }));
}
