import type { Transaction } from '@/lib/platform/db/client';
import { type Hint, writeHint } from './hint';

/**
 * Tells everybody who looks at one of these organizations, at commit, that there is something new to see. Call it in the
 * transaction that changes what they see; one statement however many hints and organizations.
 */
export async function noteLive(tx: Transaction, hints: Hint[]): Promise<void> {
  const texts = hints.flatMap(writeHint);
  if (texts.length === 0) return;
  await tx.$executeRaw`SELECT pg_notify('pharos_live', hint) FROM unnest(${texts}::text[]) AS hint`;
}
