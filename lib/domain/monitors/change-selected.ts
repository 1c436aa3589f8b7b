import { DomainError, notFound, requireFound } from '@/lib/core/errors';
import { storableJson } from '@/lib/core/storable-text';
import { recordAudits } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { interruptFlapping } from '@/lib/notify/flapping-rows';
import { joinTransaction, type Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { MAX_TAGS } from '@/lib/schemas/monitor/fields';
import { readSchedule } from '@/lib/schemas/monitor/fields/schedule';
import type { TagChange } from '@/lib/schemas/monitor/monitor-selection';
import { isRegionId } from '@/lib/schemas/regions';
import { dropDependencies } from './dependencies/admit-dependencies';
import { followPlans } from './heartbeats/follow-plans';
import { findUnderMaintenance, followStates, switchPeriods } from './history/ledger';
import { restartSchedules, unschedule } from './probe-schedules';
import { forgetRows, listPagesWith } from './writes/forget-rows';

/** The rows of the monitors of a page or a maintenance window, in the given order. */
export function inOrder(ids: string[]): { monitorId: string; position: number }[] {
  return ids.map((monitorId, position) => ({ monitorId, position }));
}

/** Locks the state rows of the organization's monitors, before their other rows and by ID as the engine does, to avoid deadlocks. */
export async function lockOwnStates(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  ids: readonly string[],
) {
  await tx.$queryRaw`
    SELECT 1 FROM monitor_state JOIN monitor ON monitor.id = monitor_id
     WHERE monitor_id = ANY(${[...ids]}) AND organization_id = ${organizationId}
     ORDER BY monitor_id FOR UPDATE OF monitor_state`;
}

type Selected = Awaited<ReturnType<typeof lockSelected>>;

/**
 * Locks the given monitors of the organization until the transaction ends, in two statements. Ignores unknown IDs, because the
 * list may be out of date. Throws NOT_FOUND if none is left.
 */
async function lockSelected(tx: Transaction, ctx: OrganizationContext, ids: string[]) {
  await lockOwnStates(tx, ctx, ids);
  const rows = await tx.monitor.findMany({
    where: { id: { in: ids }, organizationId: ctx.organizationId },
    omit: {
      headersSealed: true,
      bodySealed: true,
      authenticationSealed: true,
      clientCertificateSealed: true,
      heartbeatTokenSealed: true,
      heartbeatTokenHash: true,
    },
    orderBy: { id: 'asc' },
  });
  if (rows.length === 0) throw notFound('Monitor');
  return rows.map((row) => ({ ...row, regions: row.regions.filter(isRegionId) }));
}

/**
 * Pauses or resumes several monitors in one transaction and a fixed number of statements. Ignores unknown IDs. Returns how many
 * changed. Throws FORBIDDEN, and NOT_FOUND if the organization has none of them.
 */
export async function setMonitorsEnabled(
  ctx: OrganizationContext,
  ids: string[],
  enabled: boolean,
): Promise<{ changed: number }> {
  requirePermission(ctx, 'monitor.update');
  return ctx.db.$transaction(async (tx) => {
    const selected = await lockSelected(tx, ctx, ids);
    const changing = selected.filter((monitor) => monitor.enabled !== enabled);
    if (changing.length > 0) await applyEnabled(ctx, tx, changing, enabled);
    return { changed: changing.length };
  });
}

async function applyEnabled(ctx: OrganizationContext, tx: Transaction, monitors: Selected, enabled: boolean) {
  const now = ctx.clock.now();
  const ids = monitors.map(({ id }) => id);
  await tx.monitor.updateMany({
    where: { id: { in: ids } },
    data: { enabled, configVersion: { increment: 1 }, updatedAt: now },
  });
  const covered = enabled ? await findUnderMaintenance(tx, ids, now) : new Set<string>();
  await followStates(
    tx,
    monitors.map(({ id, configVersion }) => ({
      id,
      configVersion: configVersion + 1,
      restarts: enabled,
      pauses: !enabled,
      inMaintenance: covered.has(id),
    })),
    now,
  );
  if (enabled) await restartSchedules(tx, monitors, now);
  else await unschedule(tx, ids);
  const planned = monitors.map((monitor) => ({ ...monitor, schedule: readSchedule(monitor.schedule) }));
  await followPlans(
    tx,
    planned.map((monitor) => ({ current: monitor, next: { ...monitor, enabled }, restarts: enabled })),
    now,
  );
  const why = { rule: enabled ? 'monitoring was resumed' : 'monitoring was paused' };
  await switchPeriods(
    tx,
    ids.map((id) => {
      const running = covered.has(id) ? ('maintenance' as const) : ('pending' as const);
      return { monitorId: id, state: enabled ? running : 'paused', from: now, decidedAt: now, why };
    }),
  );
  await notePagesChanged(tx, { monitorIds: ids });
  await recordAudits(
    tx,
    ctx,
    monitors.map(({ id, name }) => ({
      action: 'monitor.update' as const,
      subject: { id, label: name },
      before: { enabled: !enabled },
      after: { enabled },
    })),
  );
}

/**
 * Adds and removes tags of several monitors in one transaction and a fixed number of statements. Ignores unknown IDs. Returns how
 * many changed. Throws FORBIDDEN, NOT_FOUND if the organization has none of them, and VALIDATION_ERROR if a monitor would have
 * too many tags.
 */
export async function tagMonitors(
  ctx: OrganizationContext,
  ids: string[],
  change: TagChange,
): Promise<{ changed: number }> {
  requirePermission(ctx, 'monitor.update');
  return ctx.db.$transaction(async (tx) => {
    const selected = await lockSelected(tx, ctx, ids);
    const changing = selected
      .map(({ id, name, tags }) => ({ id, name, before: tags, tags: changeTags(tags, change) }))
      .filter(({ before, tags }) => before.join('\0') !== tags.join('\0'));
    requireFewTags(changing);
    if (changing.length === 0) return { changed: 0 };
    await tx.$executeRaw`
      UPDATE monitor SET tags = next.tags, updated_at = ${ctx.clock.now()}
        FROM jsonb_to_recordset(${storableJson(changing)}::jsonb) AS next (id text, tags text[])
       WHERE monitor.id = next.id`;
    await recordAudits(
      tx,
      ctx,
      changing.map(({ id, name, before, tags }) => ({
        action: 'monitor.update' as const,
        subject: { id, label: name },
        before: { tags: before },
        after: { tags },
      })),
    );
    return { changed: changing.length };
  });
}

/** New tags come last, in the order given; one that is put on and taken off is on. */
function changeTags(tags: string[], { add, remove }: TagChange): string[] {
  const kept = tags.filter((tag) => !remove.includes(tag) || add.includes(tag));
  return [...kept, ...add.filter((tag) => !tags.includes(tag))];
}

function requireFewTags(monitors: { name: string; tags: string[] }[]): void {
  const [first, ...others] = monitors.filter(({ tags }) => tags.length > MAX_TAGS);
  if (!first) return;
  const also = others.length > 0 ? ` and ${others.length} more` : '';
  throw new DomainError(
    'VALIDATION_ERROR',
    `A monitor can have at most ${MAX_TAGS} tags, but “${first.name}”${also} would have more.`,
  );
}

/**
 * Permanently deletes several monitors with their history in one transaction and a fixed number of statements. Ignores unknown
 * IDs. Returns how many were deleted. Throws FORBIDDEN, and NOT_FOUND if the organization has none of them.
 */
export async function deleteMonitors(ctx: OrganizationContext, ids: string[]): Promise<{ changed: number }> {
  requirePermission(ctx, 'monitor.delete');
  return ctx.db.$transaction(async (tx) => {
    // Nobody comes to depend on one of them meanwhile.
    await lockOrganization(tx, ctx.organizationId);
    const selected = await lockSelected(tx, ctx, ids);
    for (const monitor of selected) requireExpectedVersion(ctx, monitor);
    const found = selected.map(({ id }) => id);
    await notePagesChanged(tx, { monitorIds: found });
    const pages = await listPagesWith(tx, found);
    await interruptFlapping(tx, found, ctx.clock.now());
    await tx.monitor.deleteMany({ where: { id: { in: found } } });
    await dropDependencies(tx, ctx.organizationId, found, ctx.clock.now());
    // After the deletion: it waits for subscribers who are choosing one of them.
    await forgetRows(tx, pages, found);
    await recordAudits(
      tx,
      ctx,
      selected.map(({ id, name, url, type }) => ({
        action: 'monitor.delete' as const,
        subject: { id, label: name },
        before: { name, url, type },
      })),
    );
    await notify(tx, 'pharos_checks');
    return { changed: selected.length };
  });
}

/** Permanently deletes the monitor with a `ref`. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteMonitorByRef(
  ctx: OrganizationContext,
  ref: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'monitor.delete');
  const { organizationId } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Nobody gives the ref to another monitor meanwhile.
    await lockOrganization(tx, organizationId);
    const where = { organizationId, ref };
    const { id } = requireFound(await tx.monitor.findFirst({ where, select: { id: true } }), 'Monitor');
    return deleteMonitor({ ...ctx, db: joinTransaction(tx) }, id);
  });
}

/** Permanently deletes a monitor with its history. The engine resolves its open incident. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteMonitor(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  await deleteMonitors(ctx, [id]);
  return { message: 'Monitor deleted' };
}
