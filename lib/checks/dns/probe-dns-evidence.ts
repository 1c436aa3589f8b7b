import type { Answer } from 'dns-packet';
import { storableText } from '@/lib/core/storable-text';
import type { DnsQuestion, DnsServer } from '@/lib/platform/net/dns-query';
import { formatPeer } from '@/lib/platform/net/net-error';
import { type Evidence, NO_EVIDENCE, type SeenDnsQuery } from '../evidence';
import { formatRecord } from './probe-record';

const MAX_ANSWERS = 50;
const MAX_ANSWER = 500;

/** What a server replied to a question: an error code too. */
export type SeenReply = {
  question: DnsQuestion;
  server: DnsServer;
  rcode: string;
  answers: readonly Answer[];
};

/** Shows, once it is called, the queries of a check, by server: in the order of replies, no two checks would look the same. */
export function showReplies(replies: readonly SeenReply[]): () => Evidence {
  return () => ({
    ...NO_EVIDENCE,
    dnsQueries: replies.map(showQuery).toSorted((one, other) => compare(one.server, other.server)),
  });
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function showQuery({ question, server, rcode, answers }: SeenReply): SeenDnsQuery {
  return {
    type: question.type,
    server: formatPeer(server.address, server.port),
    rcode,
    answers: answers.slice(0, MAX_ANSWERS).map((each) => storableText(formatRecord(each), MAX_ANSWER)),
  };
}
