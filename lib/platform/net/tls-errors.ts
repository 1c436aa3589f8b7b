import type { PeerCertificate } from 'node:tls';

const DAY_MS = 86_400_000;
const MAX_NAMES = 5;
const UNKNOWN_AUTHORITY = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Why a certificate was refused, in words; `code` is OpenSSL's or Node's code of the verification. */
export function describeCertificateError(refusal: {
  code: string;
  certificate: PeerCertificate;
  host: string;
  now?: number;
}): string {
  const { code, certificate, host, now = Date.now() } = refusal;
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return 'certificate is self-signed';
  if (code === 'CERT_HAS_EXPIRED') return describeExpiry(certificate, now);
  if (code === 'CERT_NOT_YET_VALID') return `certificate is not valid before ${certificate.valid_from}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeNames(certificate, host);
  if (UNKNOWN_AUTHORITY.has(code)) return 'certificate is signed by an unknown authority';
  return `certificate could not be verified${code ? ` (${code})` : ''}`;
}

function describeExpiry(certificate: PeerCertificate, now: number): string {
  const days = Math.floor((now - Date.parse(certificate.valid_to)) / DAY_MS);
  if (!(days >= 0)) return 'a certificate of the chain that signs the server’s has expired';
  if (days === 0) return 'certificate expired today';
  return `certificate expired ${days} ${days === 1 ? 'day' : 'days'} ago`;
}

function describeNames(certificate: PeerCertificate, host: string): string {
  const names = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address|URI):/, ''))
    .filter((name) => name !== '');
  if (names.length === 0 && certificate.subject?.CN) names.push(String(certificate.subject.CN));
  if (names.length === 0) return `certificate is not valid for ${host}`;
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return `certificate is not valid for ${host} (valid for ${names.slice(0, MAX_NAMES).join(', ')}${more})`;
}
