import { invalidState, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { requireComponents } from '@/lib/domain/organizations/require-components';
import { requireMonitors } from '@/lib/domain/organizations/require-monitors';
import type { Transaction } from '@/lib/platform/db/client';
import type { IncidentTemplate as Row } from '@/lib/platform/db/generated/client';
import {
  type CreateIncidentTemplate,
  type IncidentTemplate,
  type IncidentTemplateChanges,
  MAX_INCIDENT_TEMPLATES,
} from '@/lib/schemas/incidents/incident-template';
import { getIncidentTemplate, serializeTemplate } from './read-templates';

/** Creates a template. Throws FORBIDDEN, UNKNOWN_MONITOR, and VALIDATION_ERROR for unknown components and beyond 100 templates. */
export async function createIncidentTemplate(
  ctx: OrganizationContext,
  input: CreateIncidentTemplate,
): Promise<IncidentTemplate> {
  requirePermission(ctx, 'incident-template.create');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    if ((await tx.incidentTemplate.count({ where: { organizationId } })) >= MAX_INCIDENT_TEMPLATES) {
      throw invalidState(
        `An organization can have ${MAX_INCIDENT_TEMPLATES} incident templates. Delete one first.`,
      );
    }
    await requireAffected(tx, ctx, input);
    const row = await tx.incidentTemplate.create({
      data: {
        id: createId('incidentTemplate'),
        organizationId,
        ...input,
        createdAt: now,
        updatedAt: now,
      },
    });
    const subject = { id: row.id, label: row.name };
    await recordAudit(tx, ctx, { action: 'incident-template.create', subject, after: input });
    return serializeTemplate(row);
  });
}

/** Changes the given fields. Throws FORBIDDEN, NOT_FOUND, CONFLICT, UNKNOWN_MONITOR, and VALIDATION_ERROR for unknown components. */
export async function updateIncidentTemplate(
  ctx: OrganizationContext,
  id: string,
  changes: IncidentTemplateChanges,
): Promise<IncidentTemplate> {
  requirePermission(ctx, 'incident-template.update');
  if (Object.keys(changes).length > 0) {
    await ctx.db.$transaction(async (tx) => {
      const before = await lockTemplate(tx, ctx, id);
      requireExpectedVersion(ctx, before);
      await requireAffected(tx, ctx, changes, before);
      const after = await tx.incidentTemplate.update({
        where: { id },
        data: { ...changes, updatedAt: ctx.clock.now() },
      });
      await recordAudit(tx, ctx, {
        action: 'incident-template.update',
        subject: { id, label: after.name },
        before: fieldsOf(before),
        after: fieldsOf(after),
      });
    });
  }
  return getIncidentTemplate(ctx, id);
}

/** Deletes a template; incidents opened from it stay as they are. Throws FORBIDDEN, NOT_FOUND, CONFLICT. */
export async function deleteIncidentTemplate(
  ctx: OrganizationContext,
  id: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'incident-template.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockTemplate(tx, ctx, id);
    requireExpectedVersion(ctx, row);
    await tx.incidentTemplate.delete({ where: { id } });
    const subject = { id, label: row.name };
    await recordAudit(tx, ctx, {
      action: 'incident-template.delete',
      subject,
      before: { name: row.name, title: row.title },
    });
  });
  return { message: 'Incident template deleted' };
}

type Affected = Partial<Pick<Row, 'affectedMonitors' | 'affectedComponents'>>;

/** A template keeps the IDs of monitors and components that were deleted since then. */
async function requireAffected(
  tx: Transaction,
  { organizationId }: OrganizationContext,
  { affectedMonitors = [], affectedComponents = [] }: Affected,
  known: Affected = {},
): Promise<void> {
  await requireMonitors(tx, organizationId, affectedMonitors, {
    path: 'affectedMonitors',
    known: known.affectedMonitors,
  });
  await requireComponents(tx, organizationId, affectedComponents, known.affectedComponents);
}

async function lockTemplate(tx: Transaction, { organizationId }: OrganizationContext, id: string) {
  await tx.$queryRaw`
    SELECT 1 FROM incident_template WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  return requireFound(
    await tx.incidentTemplate.findFirst({ where: { id, organizationId } }),
    'Incident template',
  );
}

function fieldsOf({ organizationId: _, id: __, version: ___, createdAt, updatedAt, ...fields }: Row) {
  return fields;
}
