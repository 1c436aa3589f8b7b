import type { Transaction } from '@/lib/platform/db/client';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import type { SummaryEvent } from './compose-summary';

export type StoredEvent = SummaryEvent & { organizationId: string };

/** Stored events by ID, in one statement. Those that have expired are left out. */
export async function readEvents(tx: Transaction, ids: readonly string[]): Promise<Map<string, StoredEvent>> {
  const rows = await tx.$queryRaw<{ id: string; organizationId: string; payload: string }[]>`
    SELECT id, organization_id AS "organizationId", payload FROM outbox_event WHERE id = ANY(${[...ids]})`;
  return new Map(
    rows.map(({ payload: text, ...event }) => {
      const { id: _, ...payload } = eventPayloadSchema.parse(JSON.parse(text));
      return [event.id, { ...event, payload }];
    }),
  );
}
