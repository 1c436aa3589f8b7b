import type { DnsRecordType } from '@/lib/core/dns-record-types';

/** What a check saw, for its assertions: null where its type has no such thing. */
export type Observed = {
  status: number | null;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
  /** Where the body ends because the rest was not kept, such as `1 MiB`; null if it is complete. */
  bodyEnd: string | null;
  /** Why what the body does not contain is not known; absent or null if it is. */
  unread?: string | null;
  /** Milliseconds. */
  responseTime: number | null;
  /** Bytes of the body that were read. */
  size: number | null;
  /** Whole days until the certificate expires, negative afterwards. */
  certificateDays: number | null;
  records: readonly string[] | null;
  /** The type of the records, which decides what is the same; null if they are addresses of any type. */
  recordType: DnsRecordType | null;
  banner: string | null;
};

const DAY_MS = 86_400_000;

/** The whole days until a certificate ends, negative afterwards; null without one. */
export function daysUntilEnd(expiresAt: Date | null, now = Date.now()): number | null {
  return expiresAt && Math.floor((expiresAt.getTime() - now) / DAY_MS);
}

/** A check that saw nothing. */
export const NOTHING_OBSERVED: Observed = {
  status: null,
  headers: null,
  body: null,
  bodyEnd: null,
  responseTime: null,
  size: null,
  certificateDays: null,
  records: null,
  recordType: null,
  banner: null,
};
