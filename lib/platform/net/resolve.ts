import { lookup } from 'node:dns/promises';
import { toAsciiName } from '@/lib/core/addresses';
import { orAborted, type StopSignal, startDeadline } from './deadline';
import { type DnsResult, listDnsServers, queryDns } from './dns-query';
import { FAILURES, toUnicodeName } from './failures';
import { BlockedTargetError, errorCode, inPhase, NetError } from './net-error';
import { isAddressAllowed, isNameAllowed, literalAddress, type TargetPolicy } from './target-policy';

/** Resolves a host name to addresses in order of preference. Rejects as `dns.lookup` does. */
export type Resolver = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** System resolution: hosts file, search domains and DNS. */
export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, verbatim: true });

/** System resolution without search domains: `a.b` is that exact name, never an internal one. */
const absoluteResolver: Resolver = (hostname) => systemResolver(`${hostname.replace(/\.$/, '')}.`);

/** A host to resolve under a policy. */
export type Lookup = { host: string; policy: TargetPolicy; resolver?: Resolver; signal: StopSignal };

/**
 * Resolves a host once and checks every address, literals included. One blocked address blocks the whole
 * name; otherwise chance would decide which one is used. Under `public`, local names are not even resolved.
 * `isLiteral`: the host is an address, which was not looked up.
 *
 * Throws `BlockedTargetError`, a `NetError` of code `dns`, or the signal's reason.
 */
export async function resolveAllowed({
  host,
  policy,
  resolver,
  signal,
}: Lookup): Promise<{ addresses: string[]; isLiteral: boolean }> {
  const used = resolver ?? (policy.mode === 'public' ? absoluteResolver : systemResolver);
  const literal = literalAddress(host);
  const isLiteral = literal !== null;
  if (!isLiteral && !isNameAllowed(host, policy)) throw new BlockedTargetError();
  const explain = resolver === undefined ? explainLookup : null;
  const addresses = isLiteral ? [literal] : await resolveName(host, used, { signal, explain });
  if (!addresses.every((address) => isAddressAllowed(address, policy))) throw new BlockedTargetError();
  return { addresses, isLiteral };
}

type Explained = { signal: StopSignal; explain: typeof explainLookup | null };

async function resolveName(
  host: string,
  resolver: Resolver,
  { signal, explain }: Explained,
): Promise<string[]> {
  const asked = toAsciiName(host);
  const name = toUnicodeName(host);
  const found = await orAborted(resolver(asked), signal).catch(async (error: unknown) => {
    if (error instanceof NetError)
      throw inPhase(error, ({ message: limit }) => FAILURES.lookup.timeout({ limit, name }));
    const explained = AMBIGUOUS.has(errorCode(error)) ? await explain?.(name, asked, signal) : null;
    throw new NetError('dns', explained ?? formatLookupError(name, error), { cause: error });
  });
  if (found.length === 0) throw new NetError('dns', FAILURES.lookup.noAddress({ name }));
  return [...new Set(found.map(({ address }) => address))];
}

/** Codes of the system with several causes. */
const AMBIGUOUS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

function formatLookupError(name: string, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOTFOUND') return FAILURES.lookup.notFound({ name });
  if (code === 'EAI_AGAIN') return FAILURES.lookup.silent({ name });
  return FAILURES.lookup.other({ name, reason: code });
}

/** For the queries that explain a failure, which has taken its time already. */
const EXPLANATION_MS = 1000;

/**
 * Why the system could not resolve a name, as a sentence: the system tells neither a name without an address from one that does not exist, nor
 * an error code of a resolver from its silence, so the resolvers of this machine are asked once more. Null if they do not say. `asked` is the
 * name as DNS has it. Never throws, and takes a second at most.
 */
async function explainLookup(name: string, asked: string, signal: StopSignal): Promise<string | null> {
  const deadline = startDeadline(EXPLANATION_MS, signal);
  const servers = listDnsServers();
  const types = ['A', 'AAAA'] as const;
  try {
    const replies = await Promise.all(
      types.map((type) =>
        queryDns({ question: { name: asked, type }, servers, signal: deadline.signal }).catch(toNetError),
      ),
    );
    return formatReplies(name, replies);
  } catch {
    // Only the explanation failed, and the failure that it was to explain is reported.
    return null;
  } finally {
    deadline.release();
  }
}

function formatDenial(name: string, alias: string | null): string {
  return alias === null ? FAILURES.lookup.notFound({ name }) : FAILURES.lookup.deadAlias({ name, alias });
}

function formatReplies(name: string, replies: readonly (DnsResult | NetError)[]): string | null {
  const error = replies.find((reply) => reply instanceof NetError);
  const results = replies.filter((reply): reply is DnsResult => !(reply instanceof NetError));
  const denial = results.find(({ rcode }) => rcode === 'NXDOMAIN');
  if (denial) return formatDenial(name, denial.alias);
  if (error?.code === 'timeout') return FAILURES.lookup.silent({ name });
  if (error) return FAILURES.lookup.unresolved({ name, problem: error.message });
  const isEmpty = results.every(({ answers }) => answers.length === 0);
  return isEmpty ? FAILURES.lookup.noAddress({ name }) : null;
}

function toNetError(error: unknown): NetError {
  if (error instanceof NetError) return error;
  throw error;
}
