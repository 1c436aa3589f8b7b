import { createHash } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { PushContent } from '@/lib/schemas/push';

/** A message to one browser, by the ID of its subscription. */
export type NewPush = { subscriptionId: string; content: PushContent };

/**
 * Queues messages in the transaction that causes them: a worker sends them if and only if it commits, with retries. Browsers that were
 * removed in the meantime are left out. The content is encrypted until it is sent, since it can contain a token.
 */
export async function queuePushes(
  tx: Transaction,
  { keyring, clock }: Pick<Services, 'keyring' | 'clock'>,
  pushes: readonly NewPush[],
): Promise<void> {
  if (pushes.length === 0) return;
  const now = clock.now();
  const ids = pushes.map(() => createId('pushMessage'));
  const sealed = pushes.map(({ content }, index) =>
    Buffer.from(keyring.seal(JSON.stringify(content), ids[index] ?? '')).toString('hex'),
  );
  const browsers = pushes.map(({ subscriptionId }) => subscriptionId);
  // The lock waits for a removal that is not committed yet: its foreign key would fail this transaction.
  await tx.$executeRaw`
    INSERT INTO push_message (id, subscription_id, content_sealed, next_attempt_at, created_at)
    SELECT given.id, browser.id, decode(given.sealed, 'hex'), ${now}, ${now}
      FROM unnest(${ids}::text[], ${browsers}::text[], ${sealed}::text[]) AS given (id, browser, sealed)
      JOIN push_subscription AS browser ON browser.id = given.browser
     ORDER BY given.id FOR KEY SHARE OF browser`;
  await notify(tx, 'pharos_mail');
}

/** The tag of a notification about incidents, or about other subjects of an organization: the next one about the same replaces it. */
export function tagOf(organizationId: string, subjects: Iterable<string>): string {
  const about = [organizationId, ...[...new Set(subjects)].sort()].join(' ');
  return createHash('sha256').update(about).digest('base64url').slice(0, 32);
}
