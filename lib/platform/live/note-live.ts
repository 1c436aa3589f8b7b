import type { Transaction } from '@/lib/platform/db/client';
import { LIVE_KINDS, type LiveKind } from '@/lib/schemas/live';

/** Something of a kind happened in these organizations, without details. */
export type Hint = { kind: LiveKind; organizationIds: string[] };

/** This many ids of 30 characters stay below the 8,000 bytes of a notification. */
const MAX_NAMED = 200;

/** Notifies viewers of these organizations, when `tx` commits, that there is something new; one statement for all. */
export async function noteLive(tx: Transaction, hints: Hint[]): Promise<void> {
  const texts = hints.flatMap(formatHint);
  if (texts.length === 0) return;
  await tx.$executeRaw`SELECT pg_notify('pharos_live', hint) FROM unnest(${texts}::text[]) AS hint`;
}

/** Formats a hint as notification texts, `results org_1,org_2`: one per 200 organizations. */
export function formatHint({ kind, organizationIds }: Hint): string[] {
  const named = [...new Set(organizationIds)];
  const texts: string[] = [];
  for (let from = 0; from < named.length; from += MAX_NAMED) {
    texts.push(`${kind} ${named.slice(from, from + MAX_NAMED).join(',')}`);
  }
  return texts;
}

/** Parses the text of a notification; null if it was written by another version. */
export function parseHint(text: string): Hint | null {
  const [word, ids = ''] = text.split(' ');
  const kind = LIVE_KINDS.find((each) => each === word);
  return kind ? { kind, organizationIds: ids.split(',').filter((id) => id !== '') } : null;
}
