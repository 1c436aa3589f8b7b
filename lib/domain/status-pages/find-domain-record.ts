import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import { startDeadline } from '@/lib/platform/net/deadline';
import { queryDns } from '@/lib/platform/net/dns-query';
import { listDnsServers } from '@/lib/platform/net/dns-server';
import { domainRecord } from './domain-record';
import type { DomainSettings } from './domain-settings';
import type { Finding } from './domain-standing';

/**
 * Looks for the TXT record of a domain in DNS. `missing` is what DNS says for certain: no such name, no TXT record, another
 * value. All else (no answer, SERVFAIL, no resolver) is `unclear`, and says nothing about whose the domain is. Never throws.
 */
export async function findDomainRecord(
  { domain, token }: { domain: string; token: string },
  { needsProof, dnsServers }: Pick<DomainSettings, 'needsProof' | 'dnsServers'>,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<Finding> {
  if (!needsProof) return { kind: 'found' };
  const { name, value } = domainRecord(domain, token);
  const deadline = startDeadline(timeoutMs, signal);
  try {
    const { rcode, answers } = await queryDns({
      question: { name, type: 'TXT' },
      servers: listDnsServers(dnsServers),
      signal: deadline.signal,
    });
    const texts = answers.flatMap((answer) => (answer.type === 'TXT' ? [joinChunks(answer.data)] : []));
    if (texts.includes(value)) return { kind: 'found' };
    return { kind: 'missing', reason: describeLack(name, rcode, texts) };
  } catch (error) {
    return {
      kind: 'unclear',
      reason: `${name} could not be looked up: ${storableText(describeError(error), 300)}.`,
    };
  } finally {
    deadline.release();
  }
}

/** One TXT record comes as one or several strings of at most 255 bytes each, which belong together. */
function joinChunks(data: string | Buffer | (string | Buffer)[]): string {
  const text = [data]
    .flat()
    .map((chunk) => chunk.toString())
    .join('');
  return text.trim();
}

function describeLack(name: string, rcode: 'NOERROR' | 'NXDOMAIN', texts: string[]): string {
  if (rcode === 'NXDOMAIN') return `There is no ${name} in DNS yet.`;
  if (texts.length === 0) return `${name} has no TXT record.`;
  return `${name} has a TXT record, but not with the value shown here.`;
}
