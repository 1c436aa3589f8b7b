import { z } from 'zod';
import { HIDDEN } from '@/lib/schemas/hidden';
import { MAX_SENT, storable } from '@/lib/schemas/text';

const MAX_BYTES = 32 * 1024;
const EXAMPLE = ['CERTIFICATE', 'PRIVATE KEY']
  .map((label) => `-----BEGIN ${label}-----\n…\n-----END ${label}-----\n`)
  .join('');
const BLOCKS = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** A certificate chain and its private key as PEM; null for none. */
export const clientCertificateSchema = storable(z.string('must be a string or null').max(MAX_SENT))
  .refine((pem) => new TextEncoder().encode(pem).length <= MAX_BYTES, {
    error: 'must be at most 32 KiB',
    abort: true,
  })
  .superRefine((pem, context) => {
    const message = pem === HIDDEN ? null : findProblem(pem);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .nullable()
  .meta({
    description:
      'A client certificate as PEM, at most 32 KiB: the certificate, those of its issuers, and its private key without a passphrase. Presented to the origin of the URL only. null for none. In a PUT that keeps the origin of the URL, `[hidden]` keeps the stored one',
    examples: [EXAMPLE],
  });

/** What is missing in a text that is to be a certificate chain and its private key, as a predicate; null if nothing is. It need not be usable. */
function findProblem(pem: string): string | null {
  const labels = [...pem.matchAll(BLOCKS)].map(([, label = '']) => label);
  const keys = labels.filter((label) => label.endsWith('PRIVATE KEY'));
  if (!labels.includes('CERTIFICATE')) return 'must contain a certificate in PEM';
  if (keys.length !== 1) return 'must contain one private key in PEM';
  return pem.includes('ENCRYPTED') ? 'must contain a private key without a passphrase' : null;
}
