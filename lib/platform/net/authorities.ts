import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** DER by the name of the subject. Read when a chain is looked at for the first time, and parsed one by one: that takes long. */
let bySubject: Map<string, (Buffer | X509Certificate)[]> | null = null;

/** The authorities of Node.js that a certificate names as its issuer; not those of NODE_EXTRA_CA_CERTS. */
export function findAuthorities(issuer: string): X509Certificate[] {
  bySubject ??= indexRoots();
  const found = bySubject.get(issuer) ?? [];
  const parsed = found.map((each) => (each instanceof X509Certificate ? each : new X509Certificate(each)));
  if (found.length > 0) bySubject.set(issuer, parsed);
  return parsed;
}

function indexRoots(): Map<string, Buffer[]> {
  const index = new Map<string, Buffer[]>();
  for (const pem of rootCertificates) {
    const der = Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ''), 'base64');
    const names = readNames(der);
    if (names) index.set(names.subject, [...(index.get(names.subject) ?? []), der]);
  }
  return index;
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
