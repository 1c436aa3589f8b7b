import { invalidField, invalidState, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { revokeTokensOf } from '@/lib/domain/probe-tokens/probe-tokens';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import type { Region as Row } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import type { CreateRegion, Region, RegionChanges } from '@/lib/schemas/monitor/region';
import { BUILT_IN_REGIONS, LAST_OWN_NUMBER, ownRegionId } from '@/lib/schemas/regions';
import { getRegion } from './list-regions';

/** Regions that an organization creates in its life: their numbers are few, those of all organizations together, and never used again. */
export const MAX_CREATED = 500;
/** Monitors that the refusal to delete a region names. */
const NAMED = 3;

/**
 * Creates an own region. Nothing is checked from there until a probe or worker serves it. Throws FORBIDDEN, PLAN_LIMIT_EXCEEDED, and
 * VALIDATION_ERROR for a name in use, after 500 regions of the organization, and once no number is left.
 */
export async function createRegion(ctx: OrganizationContext, input: CreateRegion): Promise<Region> {
  requirePermission(ctx, 'region.create');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const id = await ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireQuota(plan, 'ownRegions', await tx.region.count({ where: { organizationId, deletedAt: null } }));
    if ((await tx.region.count({ where: { organizationId } })) >= MAX_CREATED) {
      throw invalidState(
        `An organization can create ${MAX_CREATED} regions, deleted ones included. Rename one instead.`,
      );
    }
    await requireFreeName(tx, ctx, input.name);
    const number = await nextNumber(tx);
    const data = { organizationId, ...input, createdAt: now, updatedAt: now };
    const row = await tx.region.create({ data: { id: ownRegionId(number), ...data } });
    await recordAudit(tx, ctx, { action: 'region.create', subject: subjectOf(row), after: input });
    return row.id;
  });
  return getRegion(ctx, id, { showsHosts: false });
}

/** Renames or moves an own region. Throws FORBIDDEN, NOT_FOUND, CONFLICT, and VALIDATION_ERROR for a name in use. */
export async function updateRegion(
  ctx: OrganizationContext,
  id: string,
  changes: RegionChanges,
  { showsHosts }: { showsHosts: boolean },
): Promise<Region> {
  requirePermission(ctx, 'region.update');
  if (Object.keys(changes).length > 0) {
    await ctx.db.$transaction(async (tx) => {
      await lockOrganization(tx, ctx.organizationId);
      const before = await lockRegion(tx, ctx, id);
      requireExpectedVersion(ctx, before);
      if (changes.name !== undefined) await requireFreeName(tx, ctx, changes.name, id);
      const data = { ...changes, updatedAt: ctx.clock.now() };
      const after = await tx.region.update({ where: { id }, data });
      await recordAudit(tx, ctx, {
        action: 'region.update',
        subject: subjectOf(after),
        before: fieldsOf(before),
        after: fieldsOf(after),
      });
    });
  }
  return getRegion(ctx, id, { showsHosts });
}

/**
 * Deletes an own region from which no monitor is checked, and revokes its tokens. Old results keep its name. Throws FORBIDDEN, NOT_FOUND,
 * and VALIDATION_ERROR, with the first of the monitors, while some are checked from there.
 */
export async function deleteRegion(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'region.delete');
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    // No monitor gets the region meanwhile: see `lockUsableRegions`.
    await lockOrganization(tx, ctx.organizationId);
    const row = await lockRegion(tx, ctx, id);
    requireExpectedVersion(ctx, row);
    await requireUnused(tx, ctx, id);
    await tx.region.update({ where: { id }, data: { deletedAt: now } });
    await revokeTokensOf(tx, id, now);
    await forgetRunners(tx, id);
    await recordAudit(tx, ctx, { action: 'region.delete', subject: subjectOf(row), before: fieldsOf(row) });
    await notify(tx, 'pharos_checks');
  });
  return { message: 'Region deleted' };
}

/** Nothing is checked from there: only what a worker or probe keeps about itself is left, and it would stay for good. */
async function forgetRunners(tx: Transaction, region: string): Promise<void> {
  await tx.regionPresence.deleteMany({ where: { region } });
  await tx.$executeRaw`DELETE FROM raw.check_runner WHERE region = ${region}`;
  await tx.$executeRaw`DELETE FROM raw.shard_lease WHERE region = ${region}`;
  await tx.$executeRaw`DELETE FROM raw.schedule_change WHERE region = ${region}`;
}

async function requireUnused(tx: Transaction, { organizationId }: OrganizationContext, id: string) {
  const where = { organizationId, regions: { has: id } };
  const monitors = await tx.monitor.count({ where });
  if (monitors === 0) return;
  const first = await tx.monitor.findMany({
    where,
    select: { name: true },
    orderBy: { id: 'asc' },
    take: NAMED,
  });
  const names = first.map(({ name }) => `“${name}”`).join(', ');
  const more = monitors > first.length ? ` and ${monitors - first.length} more` : '';
  const what = monitors === 1 ? '1 monitor is' : `${monitors} monitors are`;
  throw invalidState(`${what} checked from this region: ${names}${more}. Choose other regions there first.`);
}

/** The organization is locked. The names of built-in regions are taken, too. */
async function requireFreeName(
  tx: Transaction,
  { organizationId }: OrganizationContext,
  name: string,
  own?: string,
): Promise<void> {
  const [taken] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id
      FROM region
     WHERE organization_id = ${organizationId}
       AND lower(name) = lower(${name})
       AND deleted_at IS NULL
       AND id IS DISTINCT FROM ${own ?? null}
     LIMIT 1`;
  const isBuiltIn = BUILT_IN_REGIONS.some((each) => each.name.toLowerCase() === name.toLowerCase());
  if (taken !== undefined || isBuiltIn) {
    throw invalidField('name', 'is already used by another region', 'taken');
  }
}

async function nextNumber(tx: Transaction): Promise<number> {
  const [row] = await tx.$queryRaw<{ number: number }[]>`
    SELECT nextval('region_number')::int AS number
      FROM region_number
     WHERE last_value < ${LAST_OWN_NUMBER}::int OR NOT is_called`;
  if (row) return row.number;
  throw invalidState('No more regions can be created: this installation has used all of their numbers.');
}

async function lockRegion(
  tx: Transaction,
  { organizationId }: OrganizationContext,
  id: string,
): Promise<Row> {
  await tx.$queryRaw`SELECT 1 FROM region WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  const row = await tx.region.findFirst({ where: { id, organizationId, deletedAt: null } });
  return requireFound(row, 'Region');
}

function subjectOf({ id, name }: Row) {
  return { id, label: name };
}

function fieldsOf({ name, place }: Row) {
  return { name, place };
}
