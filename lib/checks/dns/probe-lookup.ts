import type { Answer } from 'dns-packet';
import { formatTiming } from '@/lib/core/time/duration';
import { type StopSignal, startStop } from '@/lib/platform/net/deadline';
import {
  DnsFailureError,
  type DnsQuestion,
  type DnsResult,
  type DnsServer,
  formatServer,
  queryDns,
} from '@/lib/platform/net/dns-query';
import { FAILURES } from '@/lib/platform/net/failures';
import { inPhase, NetError } from '@/lib/platform/net/net-error';
import type { ProbeErrorCode } from '../result';
import type { SeenReply } from './probe-dns-evidence';

/** How long a response to one question is awaited once another one has a result. */
const OTHERS_MS = 2000;

type Problem = { code: ProbeErrorCode; message: string };

/** What servers responded about a name. */
export type LookupResult = {
  records: readonly (Answer | string)[];
  /** Why there are no records; null if there are. */
  missing: Problem | null;
  /** Why one of the questions has no response, although there are records; null if all have one. */
  flaw: Problem | null;
  /** When the first records arrived, as `performance.now()`; null for the end of the lookup. */
  foundAt: number | null;
};

type Asked = { question: DnsQuestion; reply: DnsResult | null; error: NetError | null };

/**
 * Asks servers all of the questions about a name at the same time. The records of one are enough; those of a name that has only some are
 * no flaw. Adds what was replied to `seen`.
 *
 * Throws a `NetError` if there is no record and not every question has a response, or the signal's reason.
 */
export function lookUp(
  { name, questions }: Names,
  servers: readonly DnsServer[],
  signal: StopSignal,
  seen: SeenReply[],
): Promise<LookupResult> {
  const [first, ...others] = questions;
  return first !== undefined && others.length === 0
    ? lookUpOne(name, first, servers, { signal, seen })
    : lookUpAll({ name, questions }, servers, { signal, seen });
}

type Names = { name: string; questions: readonly DnsQuestion[] };
type Ways = { signal: StopSignal; seen: SeenReply[] };

/** The same for the usual check, which may cost no more than its query. */
async function lookUpOne(
  name: string,
  question: DnsQuestion,
  servers: readonly DnsServer[],
  { signal, seen }: Ways,
): Promise<LookupResult> {
  try {
    const reply = await queryDns({ question, servers, signal });
    const { rcode, answers, server } = reply;
    seen.push({ question, server, rcode, answers });
    const denial = rcode === 'NXDOMAIN' ? reply : undefined;
    const missing = answers.length > 0 ? null : formatMissing(name, [question], denial);
    return { records: answers, missing, flaw: null, foundAt: null };
  } catch (error) {
    if (error instanceof DnsFailureError) seen.push(toSeenFailure(question, error));
    throw inPhase(error, ({ message: limit }) => FAILURES.lookup.timeout({ limit, name }));
  }
}

async function lookUpAll(
  { name, questions }: Names,
  servers: readonly DnsServer[],
  { signal, seen }: Ways,
): Promise<LookupResult> {
  const { asked, foundAt } = await askAll(questions, servers, signal);
  seen.push(...asked.flatMap(toSeen));
  const records = asked.flatMap(({ reply }) => reply?.answers ?? []);
  if (records.length > 0) return { records, missing: null, flaw: findFlaw(asked), foundAt };
  const denial = asked.find(({ reply }) => reply?.rcode === 'NXDOMAIN')?.reply;
  const failed = asked.find(({ error }) => error !== null);
  if (failed?.error && !denial)
    throw inPhase(failed.error, ({ message: limit }) => FAILURES.lookup.timeout({ limit, name }));
  return { records, missing: formatMissing(name, questions, denial ?? undefined), flaw: null, foundAt: null };
}

async function askAll(questions: readonly DnsQuestion[], servers: readonly DnsServer[], signal: StopSignal) {
  const stop = startStop(signal);
  let foundAt: number | null = null;
  let patience: NodeJS.Timeout | undefined;
  const giveUp = () => stop.abort(new NetError('timeout', `no response within ${formatTiming(OTHERS_MS)}`));
  const askOther = async (question: DnsQuestion) => {
    const asked = await ask(question, servers, stop.signal);
    const { reply } = asked;
    if (reply === null || (reply.answers.length === 0 && reply.rcode !== 'NXDOMAIN')) return asked;
    if (reply.answers.length > 0) foundAt ??= performance.now();
    patience ??= setTimeout(giveUp, OTHERS_MS);
    return asked;
  };
  try {
    return { asked: await Promise.all(questions.map(askOther)), foundAt };
  } finally {
    clearTimeout(patience);
    stop.release();
  }
}

async function ask(question: DnsQuestion, servers: readonly DnsServer[], signal: StopSignal): Promise<Asked> {
  try {
    return { question, reply: await queryDns({ question, servers, signal }), error: null };
  } catch (error) {
    // A check that was stopped saw no flaw of the resolver.
    if (!(error instanceof NetError) || error.code === 'unavailable') throw error;
    return { question, reply: null, error };
  }
}

function toSeen({ question, reply, error }: Asked): SeenReply[] {
  if (reply !== null) {
    const { rcode, answers, server } = reply;
    return [{ question, rcode, answers, server }];
  }
  return error instanceof DnsFailureError ? [toSeenFailure(question, error)] : [];
}

function toSeenFailure(question: DnsQuestion, { server, rcode }: DnsFailureError): SeenReply {
  return { question, server, rcode, answers: [] };
}

/** A name that has a record of one type exists, so NXDOMAIN for another type is an error of the server. */
function findFlaw(asked: readonly Asked[]): Problem | null {
  const types = asked.flatMap(({ question, reply }) => (reply?.answers.length ? question.type : []));
  for (const { question, reply, error } of asked) {
    const denial =
      reply?.rcode === 'NXDOMAIN'
        ? FAILURES.lookup.errorCode({ resolver: formatServer(reply.server), rcode: 'NXDOMAIN' })
        : null;
    const message = error?.message ?? denial;
    if (message === null) continue;
    const found = `there is a record of type ${types[0]}`;
    return {
      code: error?.code ?? 'dns',
      message: `${found}, but the query for ${question.type} failed: ${message}`,
    };
  }
  return null;
}

/** `denial`: the reply that the name, or the one it is an alias for, does not exist. */
function formatMissing(name: string, questions: readonly DnsQuestion[], denial?: DnsResult): Problem {
  if (denial) {
    const missing = denial.alias === null ? name : `${name} is an alias for ${denial.alias}, which`;
    return { code: 'dns', message: `${missing} does not exist (NXDOMAIN)` };
  }
  const types = questions.map(({ type }) => type).join(' or ');
  return { code: 'no_record', message: `${name} has no ${types} record` };
}
