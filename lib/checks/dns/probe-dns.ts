import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { DnsRecordType } from '@/lib/core/dns-record-types';
import { type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import { DnsFailureError, type DnsQuestion, listDnsServers } from '@/lib/platform/net/dns-query';
import { BlockedTargetError } from '@/lib/platform/net/net-error';
import { resolveAllowed, systemResolver } from '@/lib/platform/net/resolve';
import { isNameAllowed, literalAddress } from '@/lib/platform/net/target-policy';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { ProbeEnvironment } from '../probe-environment';
import {
  createFailure,
  createJudgedResult,
  createResultOfError,
  degrade,
  wantsEvidence,
} from '../probe-result';
import type { ProbeResult } from '../result';
import { type DnsTarget, parseDnsTarget } from './dns';
import { type SeenReply, showReplies } from './probe-dns-evidence';
import { type Lookup, lookUp } from './probe-lookup';
import { formatRecord } from './probe-record';

/**
 * Checks that a name has a record of the requested type, and that all assertions hold. A plain host name needs an A or AAAA record, and an
 * error of the other query is a flaw; a name without a dot (`localhost`, a container name) is resolved by the system, since DNS servers do
 * not know it.
 */
export async function probeDns(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const query = readQuery(target);
  if (query === null) return createFailure('protocol', 'the target is neither a host name nor a dns: URI');
  const begun = performance.now();
  const deadline = startDeadline(target.timeout * 1000, env.signal);
  const { signal } = deadline;
  const seen: SeenReply[] = [];
  try {
    const lookup = isForSystem(query)
      ? await resolveLocally(query.name, env, signal)
      : await lookUp(query, await chooseServers(query, env, signal), signal, seen);
    const result = judge(target, env, lookup, (lookup.foundAt ?? performance.now()) - begun);
    result.address = seen.at(-1)?.server.address ?? null;
    if (wantsEvidence(result, env)) result.evidence = showReplies(seen);
    return result;
  } catch (error) {
    // A resolver nearby that returns SERVFAIL may have lost the way to the others.
    const failed = error instanceof DnsFailureError ? error.server : null;
    const result = createResultOfError(error, { address: failed?.address ?? null });
    if (wantsEvidence(result, env)) result.evidence = showReplies(seen);
    return result;
  } finally {
    deadline.release();
  }
}

function judge(
  target: ProbeTarget,
  env: ProbeEnvironment,
  { records, missing, flaw }: Lookup,
  responseTime: number,
): ProbeResult {
  const found = { responseTime, phases: { dns: responseTime } };
  if (missing !== null)
    return createFailure(missing.code, missing.message, { ...found, networkFailure: false });
  const result = createJudgedResult(target, env, found, () => ({
    responseTime: Math.round(responseTime),
    records: records.map(formatRecord),
    recordType: readQuery(target)?.type ?? null,
  }));
  return flaw === null ? result : degrade(result, flaw.code, flaw.message);
}

function isForSystem({ name, type, resolver }: DnsTarget): boolean {
  return type === null && resolver === null && (!name.includes('.') || /\.localhost$/i.test(name));
}

/** No connection is made, so every resolved address is allowed. */
async function resolveLocally(name: string, env: ProbeEnvironment, signal: StopSignal): Promise<Lookup> {
  requireAllowedName(name, env);
  const resolver = env.resolver ?? systemResolver;
  const policy = { mode: 'private', allowedCidrs: [] } as const;
  const { addresses } = await resolveAllowed({ host: name, policy, resolver, signal });
  return { records: addresses, missing: null, flaw: null, foundAt: performance.now() };
}

/** What to ask, and of whom. */
type DnsQuery = DnsTarget & { questions: DnsQuestion[] };

const readQuery = memoizeByObject(({ url }: ProbeTarget): DnsQuery | null => {
  const target = parseDnsTarget(url);
  if (target === null) return null;
  const types: DnsRecordType[] = target.type === null ? ['A', 'AAAA'] : [target.type];
  return { ...target, questions: types.map((type) => ({ name: target.name, type })) };
});

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
