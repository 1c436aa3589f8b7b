import { fromReverseName, type HostAndPort } from '@/lib/core/addresses';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { DnsRecordType } from '@/lib/core/dns-record-types';
import { type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import { DnsFailureError, type DnsQuestion, listDnsServers } from '@/lib/platform/net/dns-query';
import { BlockedTargetError, errorCode, NetError } from '@/lib/platform/net/net-error';
import { resolveAllowed, systemResolver } from '@/lib/platform/net/resolve';
import { isHostAllowed, isNameAllowed, literalAddress } from '@/lib/platform/net/target-policy';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { ProbeEnvironment } from '../probe-environment';
import {
  createFailure,
  createJudgedResult,
  createResultOfError,
  degrade,
  type ProbeFindings,
  wantsEvidence,
  withDetail,
} from '../probe-result';
import type { ProbeResult } from '../result';
import { type DnsTarget, formatResolver, parseDnsTarget, parseResolver } from './dns';
import { type SeenReply, showReplies } from './probe-dns-evidence';
import { type LookupResult, lookUp } from './probe-lookup';
import { formatRecord } from './probe-record';
import { checkAtAll } from './probe-resolvers';

/** Records in the message of a failure. */
const MAX_SHOWN = 5;

/** One check of a name, and what was replied to it so far. */
type DnsCheck = {
  target: ProbeTarget;
  query: DnsQuery;
  env: ProbeEnvironment;
  signal: StopSignal;
  seen: SeenReply[];
};

/**
 * Checks that a name has a record of the requested type, or none if that is expected, and that all assertions hold. A plain host name needs
 * an A or AAAA record, and an error of the other query is a flaw; a name without a dot (`localhost`, a container name) is resolved by the
 * system, since DNS servers do not know it. Several resolvers are asked at the same time, and judged one by one.
 */
export async function probeDns(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const query = readQuery(target);
  if (query === null) return createFailure('protocol', 'the target is neither a host name nor a dns: URI');
  const deadline = startDeadline(target.timeout * 1000, env.signal);
  const check: DnsCheck = { target, query, env, signal: deadline.signal, seen: [] };
  try {
    const [first = null, ...others] = query.resolvers;
    const result =
      others.length === 0 ? await checkAt(check, first) : await checkAtAll(check, query.resolvers, checkAt);
    if (wantsEvidence(result, env)) result.evidence = showReplies(check.seen);
    return result;
  } finally {
    deadline.release();
  }
}

/** Judges what one resolver responds; null: the configured one. */
async function checkAt(check: DnsCheck, resolver: HostAndPort | null): Promise<ProbeResult> {
  const { query, env, signal, seen } = check;
  const begun = performance.now();
  try {
    const lookup = isForSystem(query, resolver)
      ? await resolveLocally(query.name, env, signal)
      : await lookUp(query, await chooseServers(query.asked, resolver, env, signal), signal, seen);
    const result = judge(check, lookup, (lookup.foundAt ?? performance.now()) - begun);
    result.address = seen.at(-1)?.server.address ?? null;
    return result;
  } catch (error) {
    // A resolver nearby that returns SERVFAIL may have lost the way to the others.
    const failed = error instanceof DnsFailureError ? error.server : null;
    return createResultOfError(error, { address: failed?.address ?? null });
  }
}

function judge({ target, query, env }: DnsCheck, lookup: LookupResult, responseTime: number): ProbeResult {
  const { records, missing, flaw } = lookup;
  const found = { responseTime, phases: { dns: responseTime } };
  if (target.expectedAnswer === 'none' && records.length > 0) return createUnexpected(query, lookup, found);
  if (target.expectedAnswer !== 'none' && missing !== null)
    return createFailure(missing.code, missing.message, { ...found, networkFailure: false });
  const result = createJudgedResult(target, env, found, () => ({
    responseTime: Math.round(responseTime),
    records: records.map(formatRecord),
    recordType: query.type,
  }));
  return flaw === null ? result : degrade(result, flaw.code, flaw.message);
}

/** The failure of a check of a name that must have no records. Only members see them. */
function createUnexpected(
  { name, questions }: DnsQuery,
  { records }: LookupResult,
  found: ProbeFindings,
): ProbeResult {
  const types = questions.map(({ type }) => type).join(' or ');
  const failure = createFailure(
    'unexpected_record',
    `${name} has a record of type ${types}, expected none`,
    found,
  );
  const shown = records.slice(0, MAX_SHOWN).map(formatRecord).join(', ');
  return withDetail(failure, `${name} has ${shown}, expected no record of type ${types}`);
}

function isForSystem({ asked, type }: DnsQuery, resolver: HostAndPort | null): boolean {
  return type === null && resolver === null && (!asked.includes('.') || /\.localhost$/i.test(asked));
}

/** No connection is made, so every resolved address is allowed. */
async function resolveLocally(
  name: string,
  env: ProbeEnvironment,
  signal: StopSignal,
): Promise<LookupResult> {
  requireAllowedName(name, env);
  const resolver = env.resolver ?? systemResolver;
  const policy = { mode: 'private', allowedCidrs: [] } as const;
  try {
    const { addresses } = await resolveAllowed({ host: name, policy, resolver, signal });
    return { records: addresses, missing: null, flaw: null, foundAt: performance.now() };
  } catch (error) {
    if (!(error instanceof NetError) || errorCode(error.cause) !== 'ENOTFOUND') throw error;
    return { records: [], missing: { code: 'dns', message: error.message }, flaw: null, foundAt: null };
  }
}

/** What to ask, and whom: null is the configured resolver. */
type DnsQuery = Omit<DnsTarget, 'resolver'> & {
  questions: DnsQuestion[];
  resolvers: readonly (HostAndPort | null)[];
};

const readQuery = memoizeByObject(({ url, resolvers = [] }: ProbeTarget): DnsQuery | null => {
  const target = parseDnsTarget(url);
  if (target === null) return null;
  const { name, asked, type, resolver } = target;
  const types: DnsRecordType[] = type === null ? ['A', 'AAAA'] : [type];
  const named = [resolver, ...resolvers.map(parseResolver)].filter((each) => each !== null);
  const unique = new Map(named.map((each) => [formatResolver(each).toLowerCase(), each]));
  const questions = types.map((each) => ({ name: asked, type: each }));
  return { name, asked, type, questions, resolvers: unique.size === 0 ? [null] : [...unique.values()] };
});

/** Our own resolver would reveal internal names. */
function requireAllowedName(name: string, { policy }: ProbeEnvironment): void {
  const address = fromReverseName(name);
  const isAllowed = address === null ? isNameAllowed(name, policy) : isHostAllowed(address, policy);
  if (!isAllowed) throw new BlockedTargetError();
}

/** A resolver that the target names is subject to the target policy unless this worker is configured to use it. */
async function chooseServers(
  name: string,
  resolver: HostAndPort | null,
  env: ProbeEnvironment,
  signal: StopSignal,
) {
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
