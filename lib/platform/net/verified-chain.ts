import { X509Certificate } from 'node:crypto';
import type { PeerCertificate, SecureContext, TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import { findAuthorities, readNames } from './authorities';
import { expiryOf, isRoot, issuerOf, listIssuers, nameOf, type PresentedCertificate } from './certificate';

/** Of those that verification depends on, the certificate that ends first. */
export type CertificateEnd = {
  expiresAt: Date;
  issuer: string | null;
  /** Which it is: `intermediate certificate “R3”`. Null: the server's own. */
  name: string | null;
};

/** Longer than any chain that verifies. */
const MAX_CHAIN = 10;
const MAX_ENDS = 2000;

/** By the certificates as Node.js links them: building a chain takes longer than all else here. */
const endsOf = memoizeByObject((_: object) => new LRUCache<string, CertificateEnd>({ max: MAX_ENDS }));

/** The end of a certificate that was not verified, so that nothing else depends on it; null if it does not state one. */
export function endOfOne(certificate: PeerCertificate): CertificateEnd | null {
  const expiresAt = expiryOf(certificate);
  return expiresAt && { expiresAt, issuer: issuerOf(certificate), name: null };
}

/** In place of the context that trusts the authorities of Node.js. */
const NODE = {};

/**
 * The first end in the chain by which `context`, or the authorities of Node.js, verified the certificate of a server. Node.js shows another one: it links the first
 * issuer that the server sent, be it in excess, while OpenSSL prefers an authority that is trusted, and what is valid.
 * Reads the certificates that the server sent, which works only once per connection.
 */
export function findFirstEnd(
  tls: Pick<TLSSocket, 'getPeerX509Certificate'>,
  linked: PresentedCertificate['certificate'],
  context: SecureContext | undefined,
): CertificateEnd | null {
  const ends = endsOf(context ?? NODE);
  const issuers = listIssuers(linked);
  const key = issuers.map(({ fingerprint256 }) => fingerprint256).join();
  const kept = ends.get(key);
  // What has ended was replaced by something else that the server sends.
  if (kept && kept.expiresAt.getTime() > Date.now()) return kept;
  const sent = listSent(tls.getPeerX509Certificate());
  // What the server did not send comes from the context.
  const isSent = new Set(sent.map((each) => each.fingerprint256));
  const added = issuers
    .filter((each) => !isSent.has(each.fingerprint256))
    .map(({ raw }) => new X509Certificate(raw));
  const find = (issuer: string) => (context ? added : [...findAuthorities(issuer), ...added]);
  const chain = buildChain(sent, find, Date.now());
  const end = firstEnd(chain?.map((each) => each.toLegacyObject()) ?? withoutLoose(issuers));
  if (end) ends.set(key, end);
  return end;
}

/** What is verified ends with an authority, which issued itself. A last certificate that did not was sent in excess of one that is trusted. */
function withoutLoose(linked: readonly PeerCertificate[]): readonly PeerCertificate[] {
  const last = linked.at(-1);
  return last && linked.length > 1 && !isRoot(last) ? linked.slice(0, -1) : linked;
}

function firstEnd(chain: readonly PeerCertificate[]): CertificateEnd | null {
  const found = chain.flatMap((certificate, place) => {
    const end = endOfOne(certificate);
    return end ? [{ ...end, name: place === 0 ? null : nameOf(certificate) }] : [];
  });
  return found.reduce<CertificateEnd | null>(
    (first, each) => (first === null || each.expiresAt < first.expiresAt ? each : first),
    null,
  );
}

function listSent(own: X509Certificate | undefined): X509Certificate[] {
  const sent: X509Certificate[] = [];
  for (let next = own; next && sent.length < MAX_CHAIN; next = next.issuerCertificate) sent.push(next);
  return sent;
}

/** The chain that OpenSSL builds of what a server sent, its own certificate first; null if it does not end with a known authority. */
export function buildChain(
  [own, ...sent]: readonly X509Certificate[],
  findAuthorities: (issuer: string) => readonly X509Certificate[],
  now: number,
): X509Certificate[] | null {
  if (own === undefined) return null;
  const chain = [own];
  const unused = new Set(sent);
  for (let last = own; chain.length <= MAX_CHAIN; ) {
    const names = readNames(last.raw);
    if (names === null) return null;
    const trusted = findIssuer(last, findAuthorities(names.issuer), now);
    if (names.issuer === names.subject) return trusted ? chain : null;
    const next = trusted ?? findIssuer(last, [...unused], now);
    if (next === undefined) return null;
    unused.delete(next);
    chain.push(next);
    last = next;
  }
  return null;
}

/** The first issuer that is valid, else the one that ended last. */
function findIssuer(
  certificate: X509Certificate,
  candidates: readonly X509Certificate[],
  now: number,
): X509Certificate | undefined {
  const issuers = candidates.filter((each) => certificate.checkIssued(each));
  const endOf = ({ validTo }: X509Certificate) => Date.parse(validTo);
  const valid = issuers.find((each) => Date.parse(each.validFrom) <= now && now <= endOf(each));
  return valid ?? issuers.toSorted((a, b) => endOf(b) - endOf(a))[0];
}
