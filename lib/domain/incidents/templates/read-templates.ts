import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { IncidentTemplate as Row } from '@/lib/platform/db/generated/client';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';
import { titledTranslationsSchema } from '@/lib/schemas/incidents/translations';

/** The organization's templates, at most 100, by name. */
export async function listIncidentTemplates(ctx: OrganizationContext): Promise<IncidentTemplate[]> {
  requirePermission(ctx, 'incident-template.read');
  const { organizationId } = ctx;
  const rows = await ctx.db.incidentTemplate.findMany({
    where: { organizationId },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return rows.map(serializeTemplate);
}

/** One template. Throws NOT_FOUND, also for templates of other organizations. */
export async function getIncidentTemplate(ctx: OrganizationContext, id: string): Promise<IncidentTemplate> {
  requirePermission(ctx, 'incident-template.read');
  const { organizationId } = ctx;
  const row = await ctx.db.incidentTemplate.findFirst({ where: { id, organizationId } });
  return serializeTemplate(requireFound(row, 'Incident template'));
}

/** The template as the API returns it. */
export function serializeTemplate({
  organizationId: _,
  createdAt,
  updatedAt,
  ...row
}: Row): IncidentTemplate {
  const translations = titledTranslationsSchema.parse(row.translations);
  return { ...row, translations, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
