import { createHash } from 'node:crypto';
import type { Transaction } from '@/lib/platform/db/client';

/**
 * A digest that recognizes an address of a page, and does not list it. It has no key, so that a new SECRET_KEY does not bring back who
 * unsubscribed: anyone who has the database can test addresses.
 */
function hashAddress(pageId: string, email: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${pageId} ${email}`).digest());
}

/** Remembers that an address unsubscribed from a page or was removed, so that no import declares it as confirmed again. */
export async function recordUnsubscribed(
  tx: Transaction,
  { pageId, email, at }: { pageId: string; email: string; at: Date },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO page_unsubscribe (page_id, email_hash, unsubscribed_at)
    VALUES (${pageId}, ${hashAddress(pageId, email)}, ${at})
    ON CONFLICT (page_id, email_hash) DO NOTHING`;
}

/** Those of the addresses that ever unsubscribed from a page or were removed. */
export async function findUnsubscribed(
  tx: Transaction,
  pageId: string,
  emails: readonly string[],
): Promise<Set<string>> {
  const byHash = new Map(
    emails.map((email) => [Buffer.from(hashAddress(pageId, email)).toString('hex'), email]),
  );
  const found = await tx.$queryRaw<{ hash: string }[]>`
    SELECT encode(email_hash, 'hex') AS hash FROM page_unsubscribe
     WHERE page_id = ${pageId}
       AND email_hash IN (SELECT decode(hash, 'hex') FROM unnest(${[...byHash.keys()]}::text[]) AS hash)`;
  return new Set(found.flatMap(({ hash }) => byHash.get(hash) ?? []));
}
