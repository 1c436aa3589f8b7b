import { createHash, createHmac } from 'node:crypto';

/** The keys of a server, as set by an operator. */
export const KEYS = {
  INNGEST_EVENT_KEY: 'e7e7',
  INNGEST_SIGNING_KEY: `signkey-test-${'ab'.repeat(32)}`,
};

const bare = (key: string) => key.replace(/^signkey-\w+-/, '');

/** The value of `x-inngest-signature` over a body whose keys are in canonical order. */
export function sign(body: string, key: string, at: Date = new Date()): string {
  const seconds = Math.round(at.getTime() / 1000);
  const digest = createHmac('sha256', bare(key)).update(body).update(String(seconds)).digest('hex');
  return `t=${seconds}&s=${digest}`;
}

/** The hash that the SDK sends to a server instead of the key itself. */
export function hashKey(key: string): string {
  const prefix = /^signkey-\w+-/.exec(key)?.[0] ?? '';
  return (
    prefix +
    createHash('sha256')
      .update(Buffer.from(bare(key), 'hex'))
      .digest('hex')
  );
}

/** JSON with sorted object keys, as used for signatures (RFC 8785, limited to what is sent here). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
