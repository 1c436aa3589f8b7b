import type { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, PeerCertificate } from 'node:tls';
import { storableText } from '@/lib/core/storable-text';
import { FAILURES, toUnicodeName } from './failures';

const DAY_MS = 86_400_000;
const MAX_NAMES = 5;
const MAX_LISTED_NAMES = 20;
/** Longer than any chain that verifies. */
const MAX_CHAIN = 10;
const MAX_TEXT = 300;
const MAX_NAME = 100;

const UNKNOWN_AUTHORITY = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The certificate of a server as Node.js read it, with its issuers where that was needed to verify it, or explain why it is not valid. */
export type PresentedCertificate = {
  certificate: PeerCertificate | DetailedPeerCertificate;
  /** The same without having been read, if an untrusted one is accepted: reading its issuers would cost every check. */
  unread?: X509Certificate | undefined;
  /** The host it must be valid for. */
  host: string;
  /** The verification code of OpenSSL or Node.js; null if it is valid. */
  error: string | null;
};

/** A certificate of a chain, with bounded texts. Dates are ISO 8601, null if unreadable. */
type ListedCertificate = {
  subject: string;
  issuer: string;
  validFrom: string | null;
  validTo: string | null;
  names: string[];
};

/** The certificates that a server presented, its own first, each followed by its issuer; at most ten. */
export function listChain({ certificate, unread }: PresentedCertificate): ListedCertificate[] {
  return unread ? listUnread(unread) : listIssuers(certificate).map(listCertificate);
}

/** A certificate followed by its issuers, as Node.js links them. */
export function listIssuers(certificate: PresentedCertificate['certificate']): PeerCertificate[] {
  const chain = new Set<PeerCertificate>();
  let next: PresentedCertificate['certificate'] | undefined = certificate;
  while (next?.subject && !chain.has(next) && chain.size < MAX_CHAIN) {
    chain.add(next);
    // A root is its own issuer.
    next = 'issuerCertificate' in next ? next.issuerCertificate : undefined;
  }
  return [...chain];
}

function listUnread(certificate: X509Certificate): ListedCertificate[] {
  const chain: ListedCertificate[] = [];
  let next: X509Certificate | undefined = certificate;
  while (next && chain.length < MAX_CHAIN) {
    chain.push(listCertificate(next.toLegacyObject()));
    next = next.issuerCertificate;
  }
  return chain;
}

function listCertificate(certificate: PeerCertificate): ListedCertificate {
  return {
    subject: formatName(certificate.subject),
    issuer: formatName(certificate.issuer),
    validFrom: parseDate(certificate.valid_from)?.toISOString() ?? null,
    validTo: parseDate(certificate.valid_to)?.toISOString() ?? null,
    names: namesOf(certificate)
      .slice(0, MAX_LISTED_NAMES)
      .map((name) => storableText(name, MAX_TEXT)),
  };
}

/** `CN=example.com, O=Example`. */
function formatName(name: object | undefined): string {
  const parts = Object.entries(name ?? {}).map(([key, value]) => `${key}=${[value].flat().join('+')}`);
  return storableText(parts.toReversed().join(', '), MAX_TEXT);
}

function parseDate(text: string | undefined): Date | null {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** When a certificate expires; null if it does not state a date. */
export function expiryOf({ valid_to }: PeerCertificate): Date | null {
  return parseDate(valid_to);
}

/** The issuing organization, or the issuer's name. The peer chooses both: neither is trusted or unbounded. */
export function issuerOf({ issuer }: PeerCertificate): string | null {
  const [name] = [issuer?.O ?? issuer?.CN ?? []].flat();
  return name === undefined || name === '' ? null : storableText(name, 200);
}

/** Names a certificate that is not the server's own: `intermediate certificate “R3”`, `root certificate “ISRG Root X1”`. */
export function nameOf(certificate: PeerCertificate): string {
  return `${isRoot(certificate) ? 'root' : 'intermediate'} certificate “${commonName(certificate.subject)}”`;
}

/** Whether a certificate names itself as its issuer. */
export function isRoot({ subject, issuer }: PeerCertificate): boolean {
  return formatName(subject) === formatName(issuer);
}

function commonName(name: PeerCertificate['subject'] | undefined): string {
  return storableText(String([name?.CN ?? name?.O ?? ''].flat()[0]), MAX_NAME);
}

/** Why a certificate was rejected. */
export function formatCertificateError(presented: PresentedCertificate): string {
  const { error, certificate, host } = presented;
  const code = error ?? '';
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return FAILURES.tls.selfSigned();
  if (code === 'CERT_HAS_EXPIRED') return formatExpiry(certificate);
  if (code === 'CERT_NOT_YET_VALID') return formatNotYetValid(certificate);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return formatNames(certificate, host);
  if (!UNKNOWN_AUTHORITY.has(code)) return FAILURES.tls.unverified({ reason: code });
  if (hasIssuer(presented)) return FAILURES.tls.unknownAuthority();
  return FAILURES.tls.missingIssuer({ issuer: commonName(certificate.issuer) });
}

/** Whether the server sent, or Node.js knows, what issued the certificate. */
function hasIssuer({ certificate, unread }: PresentedCertificate): boolean {
  if (unread === undefined) return listIssuers(certificate).length > 1;
  const issuer = unread.issuerCertificate;
  return issuer !== undefined && unread.checkIssued(issuer);
}

function formatExpiry(certificate: PresentedCertificate['certificate']): string {
  const [name, { valid_to }] = findInChain(certificate, (each) => Date.parse(each.valid_to) <= Date.now());
  return FAILURES.tls.expired({ name, days: Math.floor((Date.now() - Date.parse(valid_to)) / DAY_MS) });
}

function formatNotYetValid(certificate: PresentedCertificate['certificate']): string {
  const [name, { valid_from }] = findInChain(certificate, (each) => Date.parse(each.valid_from) > Date.now());
  return FAILURES.tls.notYetValid({ name, from: valid_from });
}

/** The first certificate that `isMeant`, with its name; the server's own if none is. */
function findInChain(
  certificate: PresentedCertificate['certificate'],
  isMeant: (certificate: PeerCertificate) => boolean,
): [name: string, PeerCertificate] {
  const found = listIssuers(certificate).find(isMeant) ?? certificate;
  return [found === certificate ? 'certificate' : `the ${nameOf(found)} in the server’s chain`, found];
}

function namesOf({ subjectaltname = '', subject }: PeerCertificate): string[] {
  const names = subjectaltname
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address|URI):/, ''))
    .filter((name) => name !== '');
  return names.length === 0 && subject?.CN ? [String(subject.CN)] : names;
}

function formatNames(certificate: PeerCertificate, host: string): string {
  const names = namesOf(certificate);
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return FAILURES.tls.wrongHost({
    host: toUnicodeName(host),
    names: `${names.slice(0, MAX_NAMES).join(', ')}${more}`,
  });
}
