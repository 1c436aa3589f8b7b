import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { type ProductMessage, productMessageSchema } from '@/lib/webhook-formats/editable';

/** A message that only one attempt may change, and what it shows. */
export type LeasedMessage = {
  /** Null: it was not sent yet, or its product did not identify it. */
  message: ProductMessage | null;
  /** The number of the delivery that it shows; null: it was not sent yet. */
  shownNumber: bigint | null;
  /** The status that people were notified of last. */
  notifiedStatus: string | null;
};

type Attempt = { attemptId: string; endpointId: string; messageKey: string };
type Row = Omit<LeasedMessage, 'message'> & { remembered: unknown };

/**
 * Leases the message of a delivery for an attempt, for `seconds`, unless another attempt has it, or the endpoint was deleted: null then. An
 * attempt that ends releases it; the lease of a crashed worker ends by itself.
 */
export async function leaseMessage(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { attemptId, endpointId, messageKey }: Attempt,
  seconds: number,
): Promise<LeasedMessage | null> {
  const now = clock.now();
  const until = new Date(now.getTime() + seconds * 1000);
  const [row] = await db.$queryRaw<Row[]>`
    WITH endpoint AS (SELECT id FROM webhook_endpoint WHERE id = ${endpointId} FOR KEY SHARE)
    INSERT INTO endpoint_message AS message (endpoint_id, message_key, changed_at, lease_id, lease_until)
    SELECT id, ${messageKey}, ${now}, ${attemptId}, ${until} FROM endpoint
        ON CONFLICT (endpoint_id, message_key)
        DO UPDATE SET lease_id = excluded.lease_id, lease_until = excluded.lease_until
     WHERE message.lease_until IS NULL OR message.lease_until < ${now}
    RETURNING remembered, shown_number AS "shownNumber", notified_status AS "notifiedStatus"`;
  if (!row) return null;
  const { remembered, ...leased } = row;
  return { ...leased, message: productMessageSchema.safeParse(remembered).data ?? null };
}

/** Forgets the messages of an endpoint that goes elsewhere from now on: what follows is posted there. The endpoint is locked. */
export async function dropMessages(tx: Transaction, endpointId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM endpoint_message WHERE endpoint_id = ${endpointId}`;
}
