import { randomBytes } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import { storableJson } from '@/lib/core/storable-text';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { auditSubject } from '@/lib/domain/status-pages/page-row';
import { findOwnPage } from '@/lib/domain/status-pages/read-status-pages';
import { rowFinder } from '@/lib/domain/status-pages/sections/list-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { MAX_CHOSEN_ROWS } from '@/lib/schemas/status-pages/subscriber';
import {
  type ImportSubscribers,
  MAX_DECLARED,
  MAX_REFUSED_LINES,
  type RefusedLine,
  type SubscriberImport,
} from '@/lib/schemas/status-pages/subscriber-import';
import { listRowGroups, lockChosenRows } from '../chosen-rows';
import { findUnsubscribed } from '../unsubscribed';
import { IMPORT_MAIL } from './confirm-imported';
import { type ListedAddress, readSubscriberList } from './read-list';

/** Imported addresses of a page that wait for their confirmation email. */
const MAX_WAITING = 10_000;
/** Confirmation emails that one address gets from the imports of an organization, within the 30 days that mails are kept. */
const MAX_ASKED = 3;

const DAY_MS = 86_400_000;

/** A line whose rows are on the page; empty for everything. */
type Resolved = ListedAddress & { rowIds: string[] };

/**
 * Adds the addresses of a list to the subscribers of a page, unconfirmed: a worker emails each a confirmation link, in the order of the
 * list and within a limit per 15 minutes; see `confirmImported`. With `confirmed`, an owner, admin or write key declares that all confirmed elsewhere: they are
 * subscribed at once, also those that were to confirm, but none that ever unsubscribed from the page. Lines that are not valid are returned, and hold up no
 * other. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR for a list that is empty or too long.
 */
export async function importSubscribers(
  ctx: OrganizationContext,
  slug: string,
  { csv, language, confirmed: isConfirmed, source }: ImportSubscribers,
): Promise<SubscriberImport> {
  requirePermission(ctx, 'subscriber.import');
  if (isConfirmed) requirePermission(ctx, 'subscriber.declare-confirmed');
  const page = await findOwnPage(ctx, slug);
  const { listed, refused } = await readSubscriberList(csv, language);
  const { resolved, refused: unknown } = resolveRows(listed, await listRowGroups(ctx, page));
  return ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${page.id} FOR NO KEY UPDATE`;
    const { wanted, refused: bothered } = await dropBothered(tx, ctx, resolved);
    const added = await addWanted(tx, ctx, { pageId: page.id, wanted, isConfirmed });
    const { created, confirmed } = added;
    const all = [...refused, ...unknown, ...bothered, ...added.refused].toSorted(
      (one, other) => one.line - other.line,
    );
    const existing = wanted.length - added.refused.length - created;
    const counts = { created, existing, confirmed, invalid: all.length };
    const after = isConfirmed ? { ...counts, source } : counts;
    await recordAudit(tx, ctx, { action: 'subscriber.import', subject: auditSubject(page), after });
    if (created > confirmed) await notify(tx, 'pharos_mail');
    return { ...counts, refused: all.slice(0, MAX_REFUSED_LINES) };
  });
}

/** Finds the rows that lines name, by their ID or in either case by the name on the page; refuses lines with others. */
function resolveRows(listed: ListedAddress[], groups: Awaited<ReturnType<typeof listRowGroups>>) {
  const find = rowFinder(groups.flatMap((group) => group.rows));
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

type Wanted = { pageId: string; wanted: Resolved[]; isConfirmed: boolean };

/** Adds those that are not subscribed, as many as are permitted. The transaction has locked the page. */
async function addWanted(
  tx: Transaction,
  ctx: OrganizationContext,
  { pageId, wanted, isConfirmed }: Wanted,
): Promise<{ created: number; confirmed: number; refused: RefusedLine[] }> {
  const subscribed = await tx.pageSubscriber.findMany({
    where: { pageId, email: { in: wanted.map(({ email }) => email) } },
    select: { email: true, confirmedAt: true },
  });
  const unconfirmed = new Set(
    subscribed.flatMap(({ email, confirmedAt }) => (confirmedAt === null ? email : [])),
  );
  const taken = new Set(
    subscribed.flatMap(({ email }) => (isConfirmed && unconfirmed.has(email) ? [] : email)),
  );
  const missing: Resolved[] = [];
  for (const item of wanted) {
    if (taken.has(item.email)) continue;
    taken.add(item.email);
    missing.push(item);
  }
  // After `subscribed`: who unsubscribes in between is in one of the two.
  const gone = isConfirmed ? await findUnsubscribed(tx, pageId, emailsOf(missing)) : new Set<string>();
  const present = missing.filter(({ email }) => !gone.has(email));
  const { quota, tooMany } = await readQuota(tx, ctx, { pageId, isConfirmed });
  const fitting = present.slice(0, Math.max(0, quota));
  const late = new Set(emailsOf(present.slice(fitting.length)));
  const now = ctx.clock.now();
  const isKnown = ({ email }: Resolved) => unconfirmed.has(email);
  const known = emailsOf(fitting.filter(isKnown));
  const promoted = isConfirmed ? await confirmKnown(tx, { pageId, emails: known, now }) : 0;
  const added = fitting.filter((item) => !isKnown(item));
  const created = await insert(tx, { pageId, added, now, isConfirmed });
  const refused = wanted.flatMap(({ line, email }): RefusedLine[] => {
    if (gone.has(email)) return [{ line, ...UNSUBSCRIBED }];
    return late.has(email) ? [{ line, ...tooMany }] : [];
  });
  return { created, confirmed: isConfirmed ? created + promoted : 0, refused };
}

const emailsOf = (items: readonly Resolved[]): string[] => items.map(({ email }) => email);

const UNSUBSCRIBED = {
  code: 'unsubscribed',
  message: 'unsubscribed from this page or was removed; import it without confirmed, so that it is asked',
} as const;

/** How many further addresses may be added, and why others are refused. */
async function readQuota(
  tx: Transaction,
  { organizationId, clock }: OrganizationContext,
  { pageId, isConfirmed }: Pick<Wanted, 'pageId' | 'isConfirmed'>,
): Promise<{ quota: number; tooMany: Omit<RefusedLine, 'line'> }> {
  if (!isConfirmed) {
    const waiting = await tx.pageSubscriber.count({ where: { pageId, awaitsEmail: true } });
    const message = 'would wait behind 10,000 others; import it when they have been emailed';
    return { quota: MAX_WAITING - waiting, tooMany: { code: 'too_many_waiting', message } };
  }
  const since = new Date(clock.now().getTime() - DAY_MS);
  // In the audit log, so that addresses which were removed meanwhile count.
  const [declared] = await tx.$queryRaw<{ count: number }[]>`
    SELECT coalesce(sum((after->>'confirmed')::int), 0)::int AS count FROM audit_entry
     WHERE organization_id = ${organizationId} AND subject_id = ${pageId} AND at > ${since}
       AND action = 'subscriber.import'`;
  const message = `exceeds ${MAX_DECLARED.toLocaleString('en')} confirmed addresses in 24 hours`;
  return { quota: MAX_DECLARED - (declared?.count ?? 0), tooMany: { code: 'too_many_confirmed', message } };
}

/** Confirms subscribers of the page that were still to confirm; what they chose stays. */
async function confirmKnown(
  tx: Transaction,
  { pageId, emails, now }: { pageId: string; emails: string[]; now: Date },
): Promise<number> {
  const { count } = await tx.pageSubscriber.updateMany({
    where: { pageId, email: { in: emails }, confirmedAt: null },
    data: { confirmedAt: now, awaitsEmail: false },
  });
  return count;
}

type Added = { pageId: string; added: Resolved[]; now: Date; isConfirmed: boolean };

async function insert(tx: Transaction, { pageId, added, now, isConfirmed }: Added): Promise<number> {
  const chosen = [...new Set(added.flatMap(({ rowIds }) => rowIds))];
  const present = new Set((await lockChosenRows(tx, pageId, chosen)).rowIds);
  const rows = added.map(({ email, language, rowIds }) => ({
    id: createId('subscriber'),
    email,
    language,
    // A row that has just left the page leaves the choice, as it does for other subscribers.
    rowIds: rowIds.filter((id) => present.has(id)),
    choseRows: rowIds.length > 0,
    tokenHash: randomBytes(32).toString('hex'),
  }));
  return tx.$executeRaw`
    INSERT INTO page_subscriber
      (id, page_id, email, language, row_ids, chose_rows, token_hash, awaits_email, confirmed_at, requested_at,
       created_at)
    SELECT id, ${pageId}, email, language, "rowIds", "choseRows", decode("tokenHash", 'hex'),
           ${!isConfirmed}, ${isConfirmed ? now : null}::timestamptz, ${now}, ${now}
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS imported (
             id text, email text, language text, "rowIds" text[], "choseRows" boolean, "tokenHash" text)
     ORDER BY id
    ON CONFLICT (page_id, email) DO NOTHING`;
}
