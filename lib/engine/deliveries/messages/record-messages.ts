import { storableJson } from '@/lib/core/storable-text';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { ProductMessage } from '@/lib/webhook-formats/editable';

/** What a message shows: the delivery with this number. */
export type ShownMessage = {
  /** Null: the product did not identify it. */
  message: ProductMessage | null;
  number: bigint;
  /** The status that people were notified of last. */
  notifiedStatus: string | null;
};

/** The end of an attempt that had leased a message; `shown` is null if it did not change it. */
export type MessageRecord = {
  attemptId: string;
  endpointId: string;
  messageKey: string;
  shown: ShownMessage | null;
  at: Date;
};

/**
 * The part of a WITH clause that records what messages show and releases their leases. A lease that another attempt has taken over since
 * is left alone. Runs after `note`, if that is part of the clause: endpoints are locked before their messages everywhere.
 */
export function recordMessages(records: readonly MessageRecord[], isNoting: boolean): Prisma.Sql {
  const rows = records.map(({ shown, ...record }) => {
    const { message = null, number = null, notifiedStatus = null } = shown ?? {};
    return {
      ...record,
      isShown: shown !== null,
      message,
      number: number?.toString() ?? null,
      notifiedStatus,
    };
  });
  const isAfter = isNoting ? Prisma.sql`(SELECT count(*) FROM note) >= 0` : Prisma.sql`TRUE`;
  return Prisma.sql`
    shown AS (
      UPDATE endpoint_message AS message SET lease_id = NULL, lease_until = NULL,
             remembered = CASE WHEN "isShown" THEN given.message ELSE remembered END,
             shown_number = CASE WHEN "isShown" THEN given.number ELSE shown_number END,
             notified_status = CASE WHEN "isShown" THEN "notifiedStatus" ELSE notified_status END,
             changed_at = CASE WHEN "isShown" THEN at ELSE changed_at END
        FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS given (
             "attemptId" text, "endpointId" text, "messageKey" text, "isShown" boolean, message jsonb, number bigint,
             "notifiedStatus" text, at timestamptz)
       WHERE ${isAfter} AND message.endpoint_id = "endpointId" AND message.message_key = "messageKey"
         AND message.lease_id = "attemptId"
    )`;
}
