import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { serializeTimes } from '@/lib/domain/tokens/token-life';
import { PLANS } from '@/lib/plans/catalogue';
import type { ApiKey as Row } from '@/lib/platform/db/generated/client';
import type { ApiKey, Me } from '@/lib/schemas/api-key';

/** All keys of the organization, including revoked and expired ones, newest first. */
export async function listApiKeys(ctx: OrganizationContext): Promise<ApiKey[]> {
  requirePermission(ctx, 'api-key.read');
  const rows = await ctx.db.apiKey.findMany({
    where: { organizationId: ctx.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(serializeApiKey);
}

/** One key. Throws NOT_FOUND, also for keys of other organizations. */
export async function getApiKey(ctx: OrganizationContext, id: string): Promise<ApiKey> {
  requirePermission(ctx, 'api-key.read');
  const row = await ctx.db.apiKey.findFirst({ where: { id, organizationId: ctx.organizationId } });
  return serializeApiKey(requireFound(row, 'API key'));
}

/** The key as the API returns it, without the key itself and its hash. */
function serializeApiKey(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    hint: row.hint,
    version: row.version,
    ...serializeTimes(row),
  };
}

/**
 * Who created each key according to the audit log: an email address or the name of another key, by key ID. Keys older than
 * the log are missing.
 */
export async function readKeyCreators(ctx: OrganizationContext): Promise<Map<string, string>> {
  requirePermission(ctx, 'api-key.read');
  const entries = await ctx.db.auditEntry.findMany({
    where: { organizationId: ctx.organizationId, action: { in: ['api-key.create', 'api-key.rotate'] } },
    select: { action: true, actorLabel: true, subjectId: true, after: true },
  });
  return new Map(
    entries.flatMap(({ action, actorLabel, subjectId, after }) => {
      const id = action === 'api-key.rotate' ? successorOf(after) : subjectId;
      return id === null ? [] : [[id, actorLabel] as const];
    }),
  );
}

function successorOf(after: unknown): string | null {
  if (typeof after !== 'object' || after === null || !('successor' in after)) return null;
  return typeof after.successor === 'string' ? after.successor : null;
}

/** The caller's organization and key, with the limits of the plan and their usage. */
export async function readMe(ctx: OrganizationContext): Promise<Me> {
  requirePermission(ctx, 'organization.read');
  const { db, organizationId, actor } = ctx;
  const where = { organizationId };
  const [organization, key, monitors, statusPages, webhooks, emailRecipients, members, ownRegions] =
    await Promise.all([
      db.organization.findUniqueOrThrow({
        where: { id: organizationId },
        select: { id: true, name: true, plan: true },
      }),
      actor.kind === 'key'
        ? db.apiKey.findUnique({
            where: { id: actor.keyId },
            select: { id: true, name: true, scope: true },
          })
        : null,
      db.monitor.count({ where }),
      db.statusPage.count({ where }),
      db.webhookEndpoint.count({ where }),
      db.emailRecipient.count({ where }),
      db.membership.count({ where }),
      db.region.count({ where: { ...where, deletedAt: null } }),
    ]);
  const limits = PLANS[organization.plan];
  return {
    organization,
    key,
    limits: { ...limits, regions: [...limits.regions] },
    usage: { monitors, statusPages, webhooks, emailRecipients, members, ownRegions },
  };
}
