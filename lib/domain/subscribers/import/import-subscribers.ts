import { randomBytes } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import { storableJson } from '@/lib/core/storable-text';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { auditSubject } from '@/lib/domain/status-pages/page-row';
import { findOwnPage } from '@/lib/domain/status-pages/read-status-pages';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { MAX_CHOSEN_ROWS } from '@/lib/schemas/status-pages/subscriber';
import {
  type ImportSubscribers,
  MAX_REFUSED_LINES,
  type RefusedLine,
  type SubscriberImport,
} from '@/lib/schemas/status-pages/subscriber-import';
import { listRowGroups, lockChosenRows } from '../chosen-rows';
import { IMPORT_MAIL } from './confirm-imported';
import { type ListedAddress, readSubscriberList } from './read-list';

/** Imported addresses of a page that wait for their confirmation email. */
const MAX_WAITING = 10_000;
/** Confirmation emails that one address gets from the imports of an organization, within the 30 days that mails are kept. */
const MAX_ASKED = 3;

/** A line whose rows are on the page; empty for everything. */
type Resolved = ListedAddress & { rowIds: string[] };

/**
 * Adds the addresses of a list to the subscribers of a page, unconfirmed: a worker emails each a confirmation link, in the order of the
 * list and within a limit per 15 minutes; see `confirmImported`. Lines that are not valid are returned, and hold up no other. Throws FORBIDDEN,
 * NOT_FOUND, and VALIDATION_ERROR for a list that is empty or too long.
 */
export async function importSubscribers(
  ctx: OrganizationContext,
  slug: string,
  { csv, language }: ImportSubscribers,
): Promise<SubscriberImport> {
  requirePermission(ctx, 'subscriber.import');
  const page = await findOwnPage(ctx, slug);
  const { listed, refused } = await readSubscriberList(csv, language);
  const { resolved, refused: unknown } = resolveRows(listed, await listRowGroups(ctx, page));
  return ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${page.id} FOR NO KEY UPDATE`;
    const { wanted, refused: bothered } = await dropBothered(tx, ctx, resolved);
    const { created, refused: late } = await insert(tx, ctx, { pageId: page.id, wanted });
    const all = [...refused, ...unknown, ...bothered, ...late].toSorted(
      (one, other) => one.line - other.line,
    );
    const counts = { created, existing: wanted.length - late.length - created, invalid: all.length };
    await recordAudit(tx, ctx, { action: 'subscriber.import', subject: auditSubject(page), after: counts });
    if (created > 0) await notify(tx, 'pharos_mail');
    return { ...counts, refused: all.slice(0, MAX_REFUSED_LINES) };
  });
}

/** Finds the rows that lines name, by their ID or in either case by the name on the page; refuses lines with others. */
function resolveRows(listed: ListedAddress[], groups: Awaited<ReturnType<typeof listRowGroups>>) {
  const rows = groups.flatMap((group) => group.rows);
  const byName = new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]));
  for (const { id } of rows) byName.set(id, id);
  const find = (text: string) => byName.get(text.toLowerCase()) ?? byName.get(text);
  const resolved: Resolved[] = [];
  const refused: RefusedLine[] = [];
  for (const item of listed) {
    const found = item.rows.flatMap((cell) => splitCell(cell, (text) => find(text) !== undefined).map(find));
    const rowIds = [...new Set(found.filter((id) => id !== undefined))];
    const { line } = item;
    if (found.includes(undefined)) {
      refused.push({ line, code: 'unknown_row', message: 'names a row that is not on the page' });
    } else if (rowIds.length > MAX_CHOSEN_ROWS) {
      refused.push({ line, code: 'too_many_rows', message: `has more than ${MAX_CHOSEN_ROWS} rows` });
    } else resolved.push({ ...item, rowIds });
  }
  return { resolved, refused };
}

/** The rows in one cell: one, several separated by semicolons, or IDs separated by spaces as in our exports. */
function splitCell(cell: string, isRow: (text: string) => boolean): string[] {
  if (isRow(cell)) return [cell];
  return cell.split(cell.includes(';') ? /\s*;\s*/ : /\s+/).filter((part) => part !== '');
}

/** Refuses addresses that the organization has asked often without a confirmation: who ignores an email wants no more of it. */
async function dropBothered(tx: Transaction, { organizationId }: OrganizationContext, resolved: Resolved[]) {
  const emails = resolved.map(({ email }) => email);
  const asked = await tx.$queryRaw<{ recipient: string }[]>`
    SELECT recipient FROM mail
     WHERE kind = ${IMPORT_MAIL} AND organization_id = ${organizationId} AND recipient = ANY(${emails})
     GROUP BY recipient HAVING count(*) >= ${MAX_ASKED}`;
  const bothered = new Set(asked.map(({ recipient }) => recipient));
  const message = `was already asked ${MAX_ASKED} times in 30 days`;
  return {
    wanted: resolved.filter(({ email }) => !bothered.has(email)),
    refused: resolved
      .filter(({ email }) => bothered.has(email))
      .map(({ line }): RefusedLine => ({ line, code: 'asked_too_often', message })),
  };
}

/** Inserts those that are not subscribed, as many as may wait. The transaction has locked the page. */
async function insert(
  tx: Transaction,
  { clock }: OrganizationContext,
  { pageId, wanted }: { pageId: string; wanted: Resolved[] },
): Promise<{ created: number; refused: RefusedLine[] }> {
  const waiting = await tx.pageSubscriber.count({ where: { pageId, awaitsEmail: true } });
  const emails = wanted.map(({ email }) => email);
  const known = await tx.pageSubscriber.findMany({
    where: { pageId, email: { in: emails } },
    select: { email: true },
  });
  const taken = new Set(known.map(({ email }) => email));
  const missing: Resolved[] = [];
  for (const item of wanted) {
    if (taken.has(item.email)) continue;
    taken.add(item.email);
    missing.push(item);
  }
  const fitting = missing.slice(0, Math.max(0, MAX_WAITING - waiting));
  const chosen = [...new Set(fitting.flatMap(({ rowIds }) => rowIds))];
  const present = new Set((await lockChosenRows(tx, pageId, chosen)).rowIds);
  const now = clock.now();
  const rows = fitting.map(({ email, language, rowIds }) => ({
    id: createId('subscriber'),
    email,
    language,
    // A row that has just left the page leaves the choice, as it does for other subscribers.
    rowIds: rowIds.filter((id) => present.has(id)),
    choseRows: rowIds.length > 0,
    tokenHash: randomBytes(32).toString('hex'),
  }));
  const created = await tx.$executeRaw`
    INSERT INTO page_subscriber
      (id, page_id, email, language, row_ids, chose_rows, token_hash, awaits_email, requested_at, created_at)
    SELECT id, ${pageId}, email, language, "rowIds", "choseRows", decode("tokenHash", 'hex'), true, ${now}, ${now}
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS imported (
             id text, email text, language text, "rowIds" text[], "choseRows" boolean, "tokenHash" text)
     ORDER BY id
    ON CONFLICT (page_id, email) DO NOTHING`;
  const late = new Set(missing.slice(fitting.length).map(({ email }) => email));
  const message = 'would wait behind 10,000 others; import it when they have been emailed';
  const refused = wanted
    .filter(({ email }) => late.has(email))
    .map(({ line }): RefusedLine => ({ line, code: 'too_many_waiting', message }));
  return { created, refused };
}
