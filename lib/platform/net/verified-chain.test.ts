import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findAuthorities, readNames } from './authorities';
import { buildChain } from './verified-chain';

function readCertificates(name: string): X509Certificate[] {
  const text = readFileSync(fileURLToPath(new URL(`testing/${name}.pem`, import.meta.url)), 'utf8');
  return (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
}

const authorities = readCertificates('authorities');
const find = (issuer: string) => authorities.filter(({ raw }) => readNames(raw)?.subject === issuer);
const NOW = Date.UTC(2026, 0);

/** The chain as `name until year`, its own certificate first. */
function chainOf(sent: readonly X509Certificate[], now = NOW): string[] | null {
  const chain = buildChain(sent, find, now);
  const format = ({ subject, validTo }: X509Certificate) =>
    `${subject.slice(3)} ${new Date(validTo).getUTCFullYear()}`;
  return chain?.map(format) ?? null;
}

describe('a chain of certificates', () => {
  const whole = ['127.0.0.1 2110', 'Chain Intermediate 2050', 'Chain Root 2119'];

  it.each(['chain', 'chain-excess', 'chain-renewed', 'chain-unordered'])(
    'ends with the authority that is trusted, whatever else the server sends: %s',
    (name) => expect(chainOf(readCertificates(name))).toEqual(whole),
  );

  it('takes what is valid at the time', () => {
    const former = ['127.0.0.1 2110', 'Chain Intermediate 2021', 'Chain Root 2119'];
    expect(chainOf(readCertificates('chain-renewed'), Date.UTC(2020, 6))).toEqual(former);
    expect(chainOf(readCertificates('chain-expired'))).toEqual(former);
  });

  it.each(['chain-missing', 'chain-untrusted'])('is not known without such an authority: %s', (name) => {
    expect(chainOf(readCertificates(name))).toBeNull();
  });

  it('can be a trusted certificate alone', () => {
    expect(chainOf(authorities.slice(0, 1))).toEqual(['Test CA 2126']);
  });

  it('does not go in circles', () => {
    const [own, intermediate] = readCertificates('chain');
    const sent = [own, intermediate, intermediate, intermediate].flatMap((each) => each ?? []);
    expect(buildChain(sent, () => [], NOW)).toBeNull();
    expect(buildChain(sent, () => sent.slice(1), NOW)).toBeNull();
  });
});

describe('the authorities of Node.js', () => {
  it('are found by the name of their subject', () => {
    const [pem = ''] = rootCertificates;
    const root = new X509Certificate(pem);
    const found = findAuthorities(readNames(root.raw)?.subject ?? '');
    expect(found.map(({ fingerprint256 }) => fingerprint256)).toContain(root.fingerprint256);
  });

  it.each([
    [[]],
    [[0x30]],
    [[0x30, 0x80, 0, 0]],
    [[0x30, 0x84, 0xff]],
    [[0x30, 3, 0x30, 0x89, 1]],
    [[0x30, 0, 0, 0]],
  ])('and bytes that are no certificate have no name: %j', (bytes) =>
    expect(readNames(Buffer.from(bytes))).toBeNull(),
  );
});
