import { randomBytes } from 'node:crypto';
import { DomainError, invalidField } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { publishIncidents } from '@/lib/domain/incidents/publish-incidents';
import { inOrder } from '@/lib/domain/monitors/change-selected';
import { forgetRows } from '@/lib/domain/monitors/writes/forget-rows';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { requireMonitors } from '@/lib/domain/organizations/require-monitors';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notePageMoved, notePagesChanged } from '@/lib/platform/page-front/application';
import { HIDDEN } from '@/lib/schemas/hidden';
import { delayOf } from '@/lib/schemas/status-pages/automatic-incidents';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';
import type { CreateStatusPage, StatusPage, StatusPageChanges } from '@/lib/schemas/status-pages/status-page';
import {
  changesPasses,
  type HashedAccess,
  hashAccess,
  requireAccess,
  withoutHiddenPassword,
} from './access/change-access';
import { beginStanding, grantDomain, NO_DOMAIN, requireDomain } from './domain-standing';
import { changeUrls, requireNoImages } from './images/image-urls';
import { needsBranding, requireBranding, splitBrand } from './page-brand';
import {
  auditedFields,
  auditSubject,
  type PageRow,
  type PageSettings,
  readPageRow,
  serializeStatusPage,
} from './page-row';
import { findOwnPage, getStatusPage, ownPage } from './read-status-pages';
import { listRowIds } from './sections/list-rows';
import { affects, scopeOf } from './sections/page-scope';
import { pathsOf, resolveRows } from './sections/resolve-sections';

/**
 * Creates a status page. Throws FORBIDDEN, PLAN_LIMIT_EXCEEDED, UNKNOWN_MONITOR, SLUG_TAKEN, DOMAIN_TAKEN, and VALIDATION_ERROR for
 * the app's own domain, for monitors that contradict the sections, and for a visibility without what it requires.
 */
export async function createStatusPage(
  ctx: OrganizationContext,
  input: CreateStatusPage,
  settings: PageSettings,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.create');
  const { organizationId } = ctx;
  const { monitors: sentMonitors, sections: sentSections, theme, automaticIncidents, ...given } = input;
  const sent = { monitors: sentMonitors, sections: sentSections };
  const { monitors, sections } = resolveRows(sent, { monitors: [], sections: [] });
  if (input.password === HIDDEN) throw invalidField('password', 'must be a password');
  requireNoImages(input);
  // Before the transaction: hashing a password takes a while.
  const { brand, columns } = splitBrand(await hashAccess(given));
  const now = ctx.clock.now();
  const id = createId('statusPage');
  const written = ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireQuota(plan, 'statusPages', await tx.statusPage.count({ where: { organizationId } }));
    const { customDomain: domain } = input;
    if (domain !== null) await requireDomain(tx, domain, { plan, ...settings, pageId: id });
    if (needsBranding(brand, BRAND_DEFAULTS)) requireBranding(plan);
    requireAccess({ ...input, hasPassword: input.password !== null }, { plan, ...settings });
    await requireMonitors(tx, organizationId, monitors, { path: pathsOf(sent) });
    await tx.statusPage.create({
      data: {
        id,
        organizationId,
        ...columns,
        ...theme,
        sections,
        brand,
        automaticDelay: delayOf(automaticIncidents),
        ...(domain === null ? {} : beginStanding(now)),
        domainToken: randomBytes(20).toString('hex'),
        createdAt: now,
        updatedAt: now,
        monitors: { createMany: { data: inOrder(monitors) } },
      },
    });
    if (domain !== null && !settings.needsProof) await grantDomain(tx, { pageId: id, domain }, now);
    const row = await readPageRow(tx, Prisma.sql`id = ${id}`);
    const subject = auditSubject(row);
    await recordAudit(tx, ctx, { action: 'status-page.create', subject, after: auditedFields(row) });
    return serializeStatusPage(row, settings);
  });
  return refuseTakenSlug(written);
}

/**
 * Changes the given fields; does nothing without fields. A new domain has to be verified again. Throws FORBIDDEN, NOT_FOUND,
 * UNKNOWN_MONITOR, SLUG_TAKEN, DOMAIN_TAKEN, PLAN_LIMIT_EXCEEDED, and VALIDATION_ERROR for the app's own domain, for monitors that
 * contradict the sections, and for a visibility without what it requires.
 */
export async function updateStatusPage(
  ctx: OrganizationContext,
  slug: string,
  given: StatusPageChanges,
  settings: PageSettings,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.update');
  const changes = withoutHiddenPassword(given);
  if (Object.keys(changes).length === 0) return getStatusPage(ctx, slug, settings);
  const hashed = await hashAccess(changes);
  const written = ctx.db.$transaction((tx) => applyChanges(ctx, tx, slug, { changes, hashed, settings }));
  return refuseTakenSlug(written);
}

/** `hashed` are the changes as they are stored. */
type Applied = {
  changes: StatusPageChanges;
  hashed: HashedAccess<StatusPageChanges>;
  settings: PageSettings;
};

async function applyChanges(
  ctx: OrganizationContext,
  tx: Transaction,
  slug: string,
  { changes, hashed, settings }: Applied,
): Promise<StatusPage> {
  const { organizationId } = ctx;
  const { monitors: sentMonitors, sections: sentSections, theme, automaticIncidents, ...fields } = hashed;
  const { brand, columns } = splitBrand(fields);
  // Every verb locks the organization, the page and its monitors in this order, to avoid deadlocks.
  const isPrivate = (changes.visibility ?? 'public') !== 'public';
  const isPlanNeeded = changes.customDomain || isPrivate || needsBranding(brand, BRAND_DEFAULTS);
  const plan = isPlanNeeded ? await lockOrganization(tx, organizationId) : null;
  await tx.$queryRaw`
    SELECT id FROM status_page WHERE ${ownPage(organizationId, slug)} FOR UPDATE`;
  const before = await findOwnPage({ db: tx, organizationId }, slug);
  requireExpectedVersion(ctx, before);
  const { id } = before;
  const { customDomain = before.customDomain } = changes;
  const isNewDomain = customDomain !== before.customDomain;
  if (isNewDomain && customDomain !== null && plan !== null) {
    await requireDomain(tx, customDomain, { plan, ...settings, pageId: id });
  }
  if (plan !== null && needsBranding(brand, before.brand)) requireBranding(plan);
  const access = { ...before, ...changes };
  if (changes.password !== undefined) access.hasPassword = changes.password !== null;
  requireAccess(access, { plan: access.visibility === before.visibility ? null : plan, ...settings });
  const endsPasses = changesPasses(before, changes);
  const now = ctx.clock.now();
  const standing = customDomain === null ? NO_DOMAIN : beginStanding(now);
  const sent = { monitors: sentMonitors, sections: sentSections };
  const { monitors, sections, isNewList } = await changeRows(tx, before, sent);
  const { urls, hasDeleted } = await changeUrls(tx, before, changes);
  const { logoUrl, ...brandUrls } = urls;
  const publication = automaticIncidents && (await changeDelay(tx, before, delayOf(automaticIncidents), now));
  await tx.statusPage.update({
    where: { id },
    data: {
      ...columns,
      ...theme,
      ...publication,
      logoUrl,
      sections,
      brand: { ...before.brand, ...brand, ...brandUrls },
      ...(hasDeleted ? { version: { increment: 1 } } : {}),
      ...(endsPasses ? { accessVersion: { increment: 1 } } : {}),
      ...(isNewDomain ? { ...standing, domainCheckedAt: null } : {}),
      ...(isNewList
        ? { version: { increment: 1 }, monitors: { createMany: { data: inOrder(monitors) } } }
        : {}),
      updatedAt: now,
    },
  });
  if (isNewDomain && customDomain !== null && !settings.needsProof) {
    await grantDomain(tx, { pageId: id, domain: customDomain }, now);
  }
  const row = await readPageRow(tx, Prisma.sql`id = ${id}`);
  if (row.automaticDelay === 0 && before.automaticDelay !== 0) await publishOpen(tx, ctx, row, now);
  await forgetGone(tx, before, row);
  await recordAudit(tx, ctx, {
    action: 'status-page.update',
    subject: auditSubject(row),
    before: auditedFields(before),
    after: { ...auditedFields(row), ...(changes.password ? { password: 'new' } : {}) },
  });
  const isMoved = row.slug !== before.slug || isNewDomain || !row.published || endsPasses;
  await (isMoved ? notePageMoved(tx, id) : notePagesChanged(tx, { pageIds: [id] }));
  return serializeStatusPage(row, settings);
}

type SentRows = Parameters<typeof resolveRows>[0];

/** The rows of a page after a change. If its list of monitors is another one, the old one is deleted. */
async function changeRows(tx: Transaction, before: PageRow, sent: SentRows) {
  const { monitors, sections } = resolveRows(sent, before);
  const isNewList = monitors.join() !== before.monitors.join();
  if (sent.monitors ?? sent.sections) {
    await requireMonitors(tx, before.organizationId, monitors, { path: pathsOf(sent) });
  }
  if (isNewList) await tx.statusPageMonitor.deleteMany({ where: { pageId: before.id } });
  return { monitors, sections, isNewList };
}

async function forgetGone(tx: Transaction, before: PageRow, row: PageRow): Promise<void> {
  const shown = new Set(listRowIds(row));
  await forgetRows(
    tx,
    [row.id],
    listRowIds(before).filter((rowId) => !shown.has(rowId)),
  );
}

/** Deletes a status page permanently and frees its slug and domain. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteStatusPage(ctx: OrganizationContext, slug: string): Promise<{ message: string }> {
  requirePermission(ctx, 'status-page.delete');
  const { organizationId } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM status_page WHERE ${ownPage(organizationId, slug)} FOR UPDATE`;
    const row = await findOwnPage({ db: tx, organizationId }, slug);
    requireExpectedVersion(ctx, row);
    await tx.statusPage.delete({ where: { id: row.id } });
    const subject = auditSubject(row);
    await recordAudit(tx, ctx, { action: 'status-page.delete', subject, before: auditedFields(row) });
    await notePageMoved(tx, row.id);
  });
  return { message: 'Status page deleted' };
}

/**
 * Converts a unique violation of the slug to SLUG_TAKEN. The other unique key of a page, its verified domain, is handled by
 * `settleDomain`.
 */
async function refuseTakenSlug<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    throw new DomainError('SLUG_TAKEN', 'This slug is already in use.', [
      { path: 'slug', code: 'slug_taken', message: 'is already used by another status page' },
    ]);
  }
}

/**
 * Notifies the subscribers of a page that shows automatic incidents immediately from now on, of those that are open and that it has not
 * shown until now. One that is being changed at the moment is left to the notices of its changes.
 */
async function publishOpen(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  page: PageRow,
  now: Date,
): Promise<void> {
  const open = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM incident WHERE ${affects(scopeOf(page))} AND automatic AND resolved_at IS NULL
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
  const publications = open.map(({ id }) => ({ incidentId: id, pageId: page.id }));
  await publishIncidents(tx, services, publications, now);
}

/**
 * The columns of a page that shows automatic incidents after another delay from now on. A new delay is for incidents that are open or to
 * come: what the page has shown until now stays, and what it has not shown stays hidden.
 */
async function changeDelay(
  tx: Transaction,
  page: PageRow,
  automaticDelay: number | null,
  now: Date,
): Promise<Partial<Pick<PageRow, 'automaticDelay' | 'automaticSince'>>> {
  if (automaticDelay === page.automaticDelay) return {};
  if (page.automaticDelay === 0) {
    await tx.$executeRaw`
      INSERT INTO incident_publication (page_id, incident_id, published_at)
      SELECT ${page.id}, id, ${now} FROM incident WHERE ${affects(scopeOf(page))} AND automatic
      ON CONFLICT (incident_id, page_id) DO UPDATE SET hidden = false`;
  }
  return { automaticDelay, automaticSince: automaticDelay === 0 ? now : null };
}
