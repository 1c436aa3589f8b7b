import type { Answer } from 'dns-packet';
import { type DnsQuestion, type DnsReply, encodeQuery, selectAnswers } from './dns-message';
import type { DnsServer } from './dns-server';
import { exchangeOverTcp, exchangeOverUdp } from './dns-transport';
import { formatPeer, NetError } from './net-error';
import { RaceLostError, raceStaggered } from './race';

/** How long one server may stay silent before the next one is asked beside it. */
const NEXT_SERVER_AFTER_MS = 2000;

/** `answers` are the records of the asked type that belong to the asked name, by aliases where it has some. */
export type DnsResult = { rcode: 'NOERROR' | 'NXDOMAIN'; answers: Answer[] };

/**
 * Asks the servers in order, the next one where one is silent or cannot say; over TCP where the reply is too long for
 * UDP. Retransmits until the signal ends it. The caller answers for the servers' addresses.
 * Throws a `NetError` (`dns` where a server answered with a failure such as SERVFAIL), or the signal's reason.
 */
export async function queryDns(options: {
  question: DnsQuestion;
  servers: readonly DnsServer[];
  signal: AbortSignal;
}): Promise<DnsResult> {
  const { question, servers, signal } = options;
  if (servers.length === 0) throw new NetError('unavailable', 'this worker has no DNS server to ask');
  try {
    return await raceStaggered(servers, {
      staggerMs: NEXT_SERVER_AFTER_MS,
      signal,
      attempt: (server, attemptSignal) => askServer(server, question, attemptSignal),
    });
  } catch (error) {
    throw error instanceof RaceLostError ? error.errors[0] : error;
  }
}

async function askServer(server: DnsServer, question: DnsQuestion, signal: AbortSignal): Promise<DnsResult> {
  const query = encodeQuery(question);
  if (query === null) throw new NetError('protocol', `${question.name} is not a host name`);
  const exchange = { server, query, question, signal };
  const first = await exchangeOverUdp(exchange);
  const reply: DnsReply = first.truncated ? await exchangeOverTcp(exchange) : first;
  if (reply.rcode === 'NOERROR' || reply.rcode === 'NXDOMAIN') {
    return { rcode: reply.rcode, answers: selectAnswers(reply.answers, question) };
  }
  throw new DnsFailureError(server, reply.rcode);
}

/** A server answered that it cannot or will not say. */
export class DnsFailureError extends NetError {
  constructor(
    server: DnsServer,
    readonly rcode: string,
  ) {
    const resolver = server.port === 53 ? server.address : formatPeer(server.address, server.port);
    super('dns', `resolver ${resolver} answered ${rcode}`);
    this.name = 'DnsFailureError';
  }
}
