import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { toAsciiName } from '@/lib/core/addresses';
import { orAborted, type StopSignal, startDeadline } from './deadline';
import { type DnsResult, listDnsServers, queryDns } from './dns-query';
import { FAILURES, toUnicodeName } from './failures';
import type { IpFamily } from './icmp/icmp-packet';
import { BlockedTargetError, errorCode, inPhase, MissingFamilyError, NetError } from './net-error';
import { isAddressAllowed, isNameAllowed, literalAddress, type TargetPolicy } from './target-policy';

/**
 * Resolves a host name to addresses in order of preference; to those of a family if one is given, although others may be among them.
 * Rejects as `dns.lookup` does.
 */
export type Resolver = (
  hostname: string,
  family?: IpFamily,
) => Promise<{ address: string; family: number }[]>;

/** System resolution: hosts file, search domains and DNS. */
export const systemResolver: Resolver = (hostname, family = undefined) =>
  lookup(hostname, { all: true, verbatim: true, ...(family && { family }) });

/** System resolution without search domains: `a.b` is that exact name, never an internal one. */
const absoluteResolver: Resolver = (hostname, family) =>
  systemResolver(`${hostname.replace(/\.$/, '')}.`, family);

/** A host to resolve under a policy, if a family is given only to addresses of that. */
export type Lookup = {
  host: string;
  policy: TargetPolicy;
  resolver?: Resolver;
  family?: IpFamily;
  signal: StopSignal;
};

/**
 * Resolves a host once and checks every address, literals included. One blocked address blocks the whole
 * name; otherwise chance would decide which one is used. Under `public`, local names are not even resolved.
 * `isLiteral`: the host is an address, which was not looked up.
 *
 * Throws `BlockedTargetError`, a `NetError` of code `dns` (a `MissingFamilyError` if there are only addresses of the other family), or the
 * signal's reason.
 */
export async function resolveAllowed({
  host,
  policy,
  resolver,
  family,
  signal,
}: Lookup): Promise<{ addresses: string[]; isLiteral: boolean }> {
  const used = resolver ?? (policy.mode === 'public' ? absoluteResolver : systemResolver);
  const literal = literalAddress(host);
  const isLiteral = literal !== null;
  if (!isLiteral && !isNameAllowed(host, policy)) throw new BlockedTargetError();
  const explain = resolver === undefined ? explainLookup : null;
  const addresses = isLiteral ? [literal] : await resolveName(host, used, { family, signal, explain });
  if (isLiteral && family !== undefined && isIP(literal) !== family)
    throw new MissingFamilyError(FAILURES.lookup.otherFamily({ address: literal, family }));
  if (!addresses.every((address) => isAddressAllowed(address, policy))) throw new BlockedTargetError();
  return { addresses, isLiteral };
}

type Explained = {
  family: IpFamily | undefined;
  signal: StopSignal;
  explain: typeof explainLookup | null;
};

async function resolveName(
  host: string,
  resolver: Resolver,
  { family, signal, explain }: Explained,
): Promise<string[]> {
  const asked = toAsciiName(host);
  const name = toUnicodeName(host);
  const found = await orAborted(resolver(asked, family), signal).catch(async (error: unknown) => {
    if (error instanceof NetError)
      throw inPhase(error, ({ message: limit }) => FAILURES.lookup.timeout({ limit, name }));
    // The system tells a name without addresses of one family from one that does not exist as little as DNS errors.
    if (family !== undefined && (await hasAddress(resolver, asked, signal)))
      throw new MissingFamilyError(FAILURES.lookup.noAddressOf({ name, family }));
    const explained = AMBIGUOUS.has(errorCode(error)) ? await explain?.(name, asked, signal) : null;
    throw new NetError('dns', explained ?? formatLookupError(name, error), { cause: error });
  });
  if (found.length === 0) throw new NetError('dns', FAILURES.lookup.noAddress({ name }));
  const addresses = [...new Set(found.map(({ address }) => address))];
  if (family === undefined) return addresses;
  const own = addresses.filter((address) => isIP(address) === family);
  if (own.length === 0) throw new MissingFamilyError(FAILURES.lookup.noAddressOf({ name, family }));
  return own;
}

/** Whether a name has an address of any family. Rejects only with the signal's reason. */
async function hasAddress(resolver: Resolver, asked: string, signal: StopSignal): Promise<boolean> {
  const found = await orAborted(
    resolver(asked).catch(() => []),
    signal,
  );
  return found.length > 0;
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
