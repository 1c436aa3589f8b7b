import { ipVersion, toAsciiName } from '@/lib/core/addresses';
import type { DnsRecordType } from '@/lib/core/dns-record-types';
import { type Assertion, isNegative, isPattern } from './assertion';
import { satisfies, type ValueTest } from './compare-value';
import type { WorkLimit } from './work-limit';

/**
 * Whether a DNS record satisfies a comparison. What means the same is the same: names in any case, with and without a trailing dot
 * (RFC 4343), addresses however they are written, texts with and without quotes. Patterns see the record as it is shown. `type`: null for an
 * address of any type.
 */
export function recordSatisfies(
  test: ValueTest,
  record: string,
  type: DnsRecordType | null,
  limit: WorkLimit,
): boolean {
  const { comparison, target } = test;
  const isSatisfied = satisfies(test, record, limit);
  if (isPattern(comparison) || isSatisfied !== isNegative(comparison)) return isSatisfied;
  const fold = FOLDS[type ?? 'A'];
  const folded = mapTexts(target, (text) => fold(type === 'TXT' ? withoutQuotes(text) : text));
  const isPart = comparison === 'contains' || comparison === 'notContains';
  // `ns1.` is a part of `ns1.example.com`, and not of `ns10.example.com`.
  if (isPart && fold === foldNames && typeof folded === 'string' && String(target).endsWith('.'))
    return satisfies({ ...test, target: `${folded}.` }, `${fold(record)}.`, limit);
  return satisfies({ ...test, target: folded }, fold(record), limit);
}

function mapTexts(target: Assertion['target'], map: (text: string) => string): Assertion['target'] {
  if (Array.isArray(target)) return target.map((each) => (typeof each === 'string' ? map(each) : each));
  return typeof target === 'string' ? map(target) : target;
}

/** What records of a type are compared as. */
const FOLDS: Readonly<Record<DnsRecordType, (text: string) => string>> = {
  A: foldAddress,
  AAAA: foldAddress,
  CNAME: foldNames,
  MX: foldNames,
  NS: foldNames,
  PTR: foldNames,
  SOA: foldNames,
  SRV: foldNames,
  TXT: (text) => text,
  CAA: (text) => text.replaceAll('"', ''),
  HTTPS: foldService,
  SVCB: foldService,
  TLSA: foldHash,
};

function foldAddress(text: string): string {
  const isUnscoped = ipVersion(text) === 6 && !text.includes('%');
  return isUnscoped ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text.toLowerCase();
}

/** Numbers and names, separated by one space each. */
function foldNames(text: string): string {
  const words = text.trim().split(/\s+/).map(toAsciiName);
  return words.map((word) => word.toLowerCase().replace(/(?<=.)\.$/, '')).join(' ');
}

/** A priority, a name, and parameters, whose values are not names. */
function foldService(text: string): string {
  const [, start = '', parameters = ''] = /^(\d+ \S+)?(.*)$/s.exec(text.replaceAll('"', '')) ?? [];
  return foldNames(start) + parameters;
}

/** Three small numbers and a hash, which `dig` divides by spaces. */
function foldHash(text: string): string {
  const words = text.toLowerCase().trim().split(/\s+/);
  return words
    .map((word, index) => ((words[index - 1]?.length ?? 0) > 3 ? word : ` ${word}`))
    .join('')
    .trim();
}

/** A text as `dig` and zone files write it, in one or several quoted parts, without the quotes; any other text as it is. */
function withoutQuotes(text: string): string {
  const part = /"((?:[^"\\]|\\.)*)"/gs;
  if (!/^\s*"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*\s*$/s.test(text)) return text;
  return [...text.matchAll(part)].map(([, inner = '']) => inner.replaceAll(/\\(.)/gs, '$1')).join('');
}
