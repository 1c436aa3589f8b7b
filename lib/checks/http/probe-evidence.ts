import { storableText } from '@/lib/core/storable-text';
import { formatCertificateError, listChain } from '@/lib/platform/net/certificate';
import type { ExchangeProgress } from '@/lib/platform/net/net-error';
import { type Evidence, listAddresses, NO_EVIDENCE } from '../evidence';
import { showBody } from './probe-body';
import type { ReadBody } from './probe-compression';
import { redactHeaders, redactUrls } from './probe-headers';

const MAX_STATUS_LINE = 200;
const MAX_LOCATION = 2048;

/** A redirect that was followed, and where it led. */
export type Redirect = { statusCode: number; location: string };

/** Shows, once it is called, how a check was redirected and what its last exchange saw, whose body may have been decompressed. */
export function showExchange(
  redirects: readonly Redirect[],
  last: ExchangeProgress | null,
  read: ReadBody | null,
): () => Evidence {
  return () => ({
    ...NO_EVIDENCE,
    redirects: redirects.map(showRedirect),
    ...(last && showLast(last, read)),
  });
}

function showLast(
  { remoteAddress, addresses, certificate, parser }: ExchangeProgress,
  read: ReadBody | null,
): Partial<Evidence> {
  const connection = {
    address: remoteAddress,
    addresses: listAddresses(addresses),
    certificates: certificate === null ? [] : listChain(certificate),
    certificateError: certificate?.error == null ? null : formatCertificateError(certificate),
  };
  if (!parser?.head) return connection;
  const { headers } = parser.head;
  const { body, isTruncated, isComplete, statusLine } = parser;
  return {
    ...connection,
    statusLine: storableText(statusLine, MAX_STATUS_LINE),
    headers: redactHeaders(headers),
    body: showBody({ headers, body, isCut: isTruncated || !isComplete, read }),
  };
}

function showRedirect({ statusCode, location }: Redirect): Redirect {
  return { statusCode, location: storableText(redactUrls(location), MAX_LOCATION) };
}
