import { createId } from '@/lib/core/ids';
import { storableJson } from '@/lib/core/storable-text';
import { type PageNotice, selectNotices } from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import { type PageEvent, PRIVATE_KIND, renderPayload, renderSlackBody } from './page-events';

/** Endpoints per statement. */
const ENDPOINTS = 200;
/** Pending deliveries of one endpoint: what comes on top is dropped, so that one that hangs costs no more. */
export const MAX_PENDING = 100;

type Page = { id: string; name: string; address: string; isPublic: boolean };
type Recipient = { id: string; channel: string; language: string; rowIds: string[] };

/**
 * Queues a delivery of every notice to every confirmed endpoint of a page that chose something affected, or everything, in the transaction that took the
 * notices. Of a private page, one without details for all notices together. Stopped endpoints get none.
 */
export async function queueEndpointDeliveries(
  tx: Transaction,
  page: Page,
  { notices, now }: { notices: PageNotice[]; now: Date },
): Promise<void> {
  if (notices.length === 0) return;
  const events: PageEvent[] = notices.map((notice) => ({
    id: createId('event'),
    kind: notice.kind,
    occurredAt: notice.occurredAt,
    notice,
  }));
  const hint: PageEvent = { id: createId('event'), kind: PRIVATE_KIND, occurredAt: now, notice: null };
  const eventsFor = ({ rowIds }: Recipient): PageEvent[] => {
    const own = events.filter(({ notice }) => notice && selectNotices([notice], rowIds).length > 0);
    return page.isPublic || own.length === 0 ? own : [hint];
  };
  const render = createRenderer(page);
  let after = '';
  for (let hasMore = true; hasMore; ) {
    const recipients = await tx.$queryRaw<Recipient[]>`
      SELECT id, channel, language, row_ids AS "rowIds" FROM endpoint_subscriber
       WHERE page_id = ${page.id} AND confirmed_at IS NOT NULL AND stopped_at IS NULL AND id > ${after}
       ORDER BY id LIMIT ${ENDPOINTS}`;
    await insertAll(
      tx,
      recipients.flatMap((recipient) =>
        eventsFor(recipient)
          .slice(0, MAX_PENDING)
          .map((event) => ({
            id: createId('delivery'),
            subscriberId: recipient.id,
            eventId: event.id,
            kind: event.kind,
            subjectId: event.notice?.subjectId ?? null,
            payload: render(event, recipient),
            occurredAt: event.occurredAt,
          })),
      ),
      now,
    );
    after = recipients.at(-1)?.id ?? after;
    hasMore = recipients.length === ENDPOINTS;
  }
}

/** Renders each body once for all endpoints that get the same. */
function createRenderer(page: Page) {
  const rendered = new Map<string, string>();
  return (event: PageEvent, { channel, language }: Recipient): string => {
    const key = [event.id, channel, channel === 'slack' ? language : ''].join(' ');
    const known = rendered.get(key);
    if (known !== undefined) return known;
    const body = channel === 'slack' ? renderSlackBody(event, page, language) : renderPayload(event, page);
    rendered.set(key, body);
    return body;
  };
}

/** Characters of payloads per statement. The emails about the same notices are in the same transaction, which must not fail for its size. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

type Row = { payload: string; [name: string]: unknown };

async function insertAll(tx: Transaction, rows: readonly Row[], now: Date): Promise<void> {
  for (const batch of splitByLength(rows, MAX_CHARACTERS)) await insert(tx, batch, now);
}

/** The rows in their order, in batches whose payloads have at most `most` characters together; a longer one has its own. */
export function splitByLength<Item extends { payload: string }>(
  rows: readonly Item[],
  most: number,
): Item[][] {
  const batches: Item[][] = [];
  let left = 0;
  for (const row of rows) {
    const last = batches.at(-1);
    if (last && row.payload.length <= left) last.push(row);
    else {
      batches.push([row]);
      left = most;
    }
    left -= row.payload.length;
  }
  return batches;
}

async function insert(tx: Transaction, rows: readonly Row[], now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO subscriber_delivery
      (id, subscriber_id, event_id, kind, subject_id, payload, occurred_at, next_attempt_at)
    SELECT id, "subscriberId", "eventId", kind, "subjectId", payload, "occurredAt", ${now}
      FROM (SELECT *, row_number() OVER (PARTITION BY "subscriberId" ORDER BY id)
                      + (SELECT count(*) FROM subscriber_delivery WHERE subscriber_id = "subscriberId") AS place
              FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS added (
                     id text, "subscriberId" text, "eventId" text, kind text, "subjectId" text, payload text,
                     "occurredAt" timestamptz)) AS added
     WHERE place <= ${MAX_PENDING}
     ORDER BY id`;
}
