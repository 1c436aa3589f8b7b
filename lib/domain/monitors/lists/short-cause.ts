import { forMembers } from '@/lib/checks/for-members';
import { cutText } from '@/lib/core/storable-text';
import { formatTiming } from '@/lib/core/time/duration';
import { formatCertificateExpiry } from '@/lib/state/explain';
import { isCertificateExpiring } from '@/lib/state/region';
import type { LatestResult, StateConfig } from '@/lib/state/types';

/** Error codes in a word or two. Those of a failed connection and of a status say more in the result itself. */
const WORDS: Readonly<Record<string, string>> = {
  timeout: 'timeout',
  dns: 'DNS error',
  connect: 'connection failed',
  connection_lost: 'connection lost',
  tls: 'TLS error',
  keyword: 'keyword missing',
  redirect: 'redirect failed',
  protocol: 'invalid response',
  no_record: 'no DNS record',
  unexpected_record: 'unexpected DNS record',
  no_reply: 'no reply',
  reported: 'failure reported',
};

/** Thousands of causes are sent with a list. */
const MAX_LENGTH = 100;

/**
 * Why the latest check of a region was not good, for a narrow column: `connection refused`, `HTTP 503`, `slow response: 6.2s`,
 * `certificate expires in 5 days`, `status is 500, expected 200–299`. For members only: an assertion that failed shows what the
 * target sent.
 */
export function formatShortCause(
  { kind, error, statusCode, responseTime, certificateExpiresAt, certificateName }: LatestResult,
  config: Pick<StateConfig, 'tlsExpiryDays'>,
  now: Date,
): string | null {
  if (error?.code === 'status' && statusCode !== null) return `HTTP ${statusCode}`;
  if (error?.code === 'connect' && error.message.startsWith('connection refused'))
    return 'connection refused';
  if (error?.code === 'assertion') return formatAssertion(error);
  if (error) return WORDS[error.code] ?? error.code.replaceAll('_', ' ');
  if (kind !== 'slow') return null;
  if (isCertificateExpiring(config, certificateExpiresAt, now.getTime()))
    return shorten(
      formatCertificateExpiry((certificateExpiresAt ?? 0) - now.getTime(), certificateName).replace(
        /^the /,
        '',
      ),
    );
  if (responseTime === null) return null;
  const step = responseTime < 1000 ? 1 : 100;
  return `slow response: ${formatTiming(Math.round(responseTime / step) * step)}`;
}

/** The assertion that failed, without its number. */
function formatAssertion(error: NonNullable<LatestResult['error']>): string {
  const text = forMembers(error).message.replace(/^assertion \d+( failed)?: /, '');
  return shorten(text);
}

/** A cause, cut to what a narrow column is sent. */
export function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${cutText(text, MAX_LENGTH - 1)}…` : text;
}
