import { X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Authorities that a context trusts: Node.js does not list them. */
export class Authorities {
  /** DER by the name of the subject. Read when a chain is looked at for the first time, and parsed one by one: that takes long. */
  #bySubject: Map<string, (Buffer | X509Certificate)[]> | null = null;

  constructor(private readonly pems: readonly string[]) {}

  /** Those that a certificate names as its issuer. */
  find(issuer: string): X509Certificate[] {
    this.#bySubject ??= index(this.pems);
    const found = this.#bySubject.get(issuer) ?? [];
    const parsed = found.map((each) => (each instanceof X509Certificate ? each : new X509Certificate(each)));
    if (found.length > 0) this.#bySubject.set(issuer, parsed);
    return parsed;
  }
}

const NONE = new Authorities([]);
const known = new WeakMap<SecureContext, Authorities>();

/** A context that trusts only these authorities: one or several certificates as PEM. */
export function trustAuthorities(pem: string): SecureContext {
  const context = createSecureContext({ ca: pem });
  known.set(context, new Authorities([pem]));
  return context;
}

let defaultContext: SecureContext | undefined;

/** The context that trusts the authorities of Node.js and those of NODE_EXTRA_CA_CERTS, of which only the former are listed. Created once. */
export function defaultAuthorities(): SecureContext {
  if (defaultContext === undefined) {
    defaultContext = createSecureContext();
    known.set(defaultContext, new Authorities(rootCertificates));
  }
  return defaultContext;
}

/** The authorities of a context, as far as they are known. */
export function authoritiesOf(context: SecureContext): Authorities {
  return known.get(context) ?? NONE;
}

function index(pems: readonly string[]): Map<string, Buffer[]> {
  const found = new Map<string, Buffer[]>();
  const texts = pems.flatMap((pem) => pem.split('-----BEGIN CERTIFICATE-----').slice(1));
  for (const base64 of texts) {
    const der = Buffer.from(base64.split('-----')[0] ?? '', 'base64');
    const names = readNames(der);
    if (names) found.set(names.subject, [...(found.get(names.subject) ?? []), der]);
  }
  return found;
}

/** The names of a certificate as they are encoded (RFC 5280), by which chains are built, without parsing the rest. Null if it is not DER. */
export function readNames(der: Buffer): { issuer: string; subject: string } | null {
  const certificate = readElement(der, 0);
  const body = certificate && readElement(der, certificate.start);
  const fields: string[] = [];
  for (let at = body?.start ?? der.length; fields.length < 5; ) {
    const element = readElement(der, at);
    if (element === null) return null;
    // The version is optional.
    if (element.tag !== 0xa0) fields.push(der.toString('latin1', at, element.end));
    at = element.end;
  }
  const [_serial, _algorithm, issuer = '', _validity, subject = ''] = fields;
  return { issuer, subject };
}

function readElement(der: Buffer, at: number): { tag: number; start: number; end: number } | null {
  const [tag, first] = [der[at], der[at + 1]];
  if (tag === undefined || first === undefined) return null;
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first };
  const bytes = first & 0x7f;
  const start = at + 2 + bytes;
  if (bytes === 0 || bytes > 4 || start > der.length) return null;
  return { tag, start, end: start + der.readUIntBE(at + 2, bytes) };
}
