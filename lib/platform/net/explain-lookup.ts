import { type StopSignal, startDeadline } from './deadline';
import { type DnsResult, listDnsServers, queryDns } from './dns-query';
import { FAILURES } from './failures';
import { NetError } from './net-error';

/** For the queries that explain a failure, which has taken its time already. */
const EXPLANATION_MS = 1000;

/**
 * Why the system could not resolve a name, as a sentence: the system tells neither a name without an address from one that does not exist, nor
 * an error code of a resolver from its silence, so the resolvers of this machine are asked once more. Null if they do not say. `asked` is the
 * name as DNS has it. Never throws, and takes a second at most.
 */
export async function explainLookup(name: string, asked: string, signal: StopSignal): Promise<string | null> {
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
