import type { Transaction } from '@/lib/platform/db/client';
import { LIVE_KINDS, type LiveKind } from '@/lib/schemas/live';

/** That something of a kind happened in these organizations: never what. */
export type Hint = { kind: LiveKind; organizationIds: string[] };

/** So many ids of 30 letters are short of the 8,000 bytes that a notification may have. */
const MAX_NAMED = 200;

/**
 * Tells everybody who looks at one of these organizations, at commit, that there is something new to see. Call it in the
 * transaction that changes what they see; one statement however many hints and organizations.
 */
export async function noteLive(tx: Transaction, hints: Hint[]): Promise<void> {
  const texts = hints.flatMap(writeHint);
  if (texts.length === 0) return;
  await tx.$executeRaw`SELECT pg_notify('pharos_live', hint) FROM unnest(${texts}::text[]) AS hint`;
}

/** Writes a hint as the texts of notifications, `results org_1,org_2`: one for each 200 organizations. */
export function writeHint({ kind, organizationIds }: Hint): string[] {
  const named = [...new Set(organizationIds)];
  const texts: string[] = [];
  for (let from = 0; from < named.length; from += MAX_NAMED) {
    texts.push(`${kind} ${named.slice(from, from + MAX_NAMED).join(',')}`);
  }
  return texts;
}

/** Reads the text of a notification; null for what another version wrote. */
export function parseHint(text: string): Hint | null {
  const [word, ids = ''] = text.split(' ');
  const kind = LIVE_KINDS.find((each) => each === word);
  return kind ? { kind, organizationIds: ids.split(',').filter((id) => id !== '') } : null;
}
