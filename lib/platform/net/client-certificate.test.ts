import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HIDDEN } from '@/lib/schemas/hidden';
import { clientCertificateSchema } from '@/lib/schemas/monitor/fields/client-certificate';
import { findCertificateProblem } from './client-certificate';
import { readCertificate } from './testing/servers';

const good = readCertificate('good');
const [key = ''] = /-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----/.exec(good) ?? [];
const [certificate = ''] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(good) ?? [];
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const lockedKey = privateKey
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString();

const problemOf = (text: string) =>
  clientCertificateSchema.safeParse(text).error?.issues[0]?.message ??
  (text === HIDDEN ? null : findCertificateProblem(text));

describe('a client certificate', () => {
  it.each([
    ['with its key before or after it', good],
    ['with its key after it', `${certificate}\n${key}`],
    ['with issuers', `${certificate}\n${certificate}\n${key}`],
    ['that is kept', HIDDEN],
  ])('is one %s', (_, text) => {
    expect(problemOf(text)).toBeNull();
  });

  it.each([
    ['', 'must contain a certificate in PEM'],
    [key, 'must contain a certificate in PEM'],
    [certificate, 'must contain one private key in PEM'],
    [`${certificate}${key}\n${key}`, 'must contain one private key in PEM'],
    [`${certificate}\n${lockedKey}`, 'must contain a private key without a passphrase'],
    [`${certificate}\n${otherKey}`, 'contains a private key that does not match the first certificate'],
    [`${certificate.replace('MII', 'AAA')}\n${key}`, 'contains a certificate that cannot be read'],
    [`${certificate}\n${key.replace('MIG', 'AAA')}`, 'contains a private key that cannot be read'],
    [`${good}${' '.repeat(32_769)}`, 'must be at most 32 KiB'],
  ])('is not %#: %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('has an example in the API reference that the schema takes', () => {
    const { examples } = clientCertificateSchema.meta() ?? {};
    const [example]: unknown[] = Array.isArray(examples) ? examples : [];
    expect(clientCertificateSchema.safeParse(example).success).toBe(true);
  });
});
