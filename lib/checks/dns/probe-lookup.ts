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

/** How long a response is awaited to one question when another one has told what there is. */
const OTHERS_MS = 2000;

type Problem = { code: ProbeErrorCode; message: string };

/** What servers responded about a name. */
export type Lookup = {
  records: readonly (Answer | string)[];
  /** Why there are no records; null if there are. */
  missing: Problem | null;
  /** Why one of the questions has no response, although there are records; null if all have one. */
  flaw: Problem | null;
  /** When the first records arrived, as `performance.now()`; null without any. */
  foundAt: number | null;
};

type Asked = { question: DnsQuestion; reply: DnsResult | null; error: NetError | null };

/**
 * Asks servers all of the questions about a name at the same time. The records of one are enough; those of a name that has only some are
 * no flaw. Adds what was replied to `seen`.
 *
 * Throws a `NetError` if there is no record and not every question has a response, or the signal's reason.
 */
export async function lookUp(
  { name, questions }: { name: string; questions: readonly DnsQuestion[] },
  servers: readonly DnsServer[],
  signal: StopSignal,
  seen: SeenReply[],
): Promise<Lookup> {
  const [first, ...others] = questions;
  if (first === undefined) throw new Error('a lookup without a question');
  const all = await (others.length === 0
    ? askOne(first, servers, signal)
    : askAll(questions, servers, signal));
  seen.push(...all.asked.flatMap(toSeen));
  const records = all.asked.flatMap(({ reply }) => reply?.answers ?? []);
  const failed = all.asked.find((each) => each.error !== null);
  if (records.length > 0) return { records, missing: null, flaw: findFlaw(all.asked), foundAt: all.foundAt };
  const isDenied = all.asked.some(({ reply }) => reply?.rcode === 'NXDOMAIN');
  if (failed?.error && !isDenied)
    throw inPhase(failed.error, ({ message: limit }) => FAILURES.lookup.timeout({ limit, name }));
  return { records, missing: formatMissing(name, questions, isDenied), flaw: null, foundAt: null };
}

async function askOne(question: DnsQuestion, servers: readonly DnsServer[], signal: StopSignal) {
  const asked = await ask(question, servers, signal);
  return { asked: [asked], foundAt: performance.now() };
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
  if (reply !== null) return [{ question, ...reply }];
  if (!(error instanceof DnsFailureError)) return [];
  return [{ question, server: error.server, rcode: error.rcode, answers: [] }];
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

function formatMissing(name: string, questions: readonly DnsQuestion[], isDenied: boolean): Problem {
  if (isDenied) return { code: 'dns', message: `${name} does not exist (NXDOMAIN)` };
  const types = questions.map(({ type }) => type).join(' or ');
  return { code: 'no_record', message: `${name} has no ${types} record` };
}
