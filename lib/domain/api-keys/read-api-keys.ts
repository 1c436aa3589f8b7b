import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { PLANS } from '@/lib/plans/catalogue';
import type { ApiKey as Row } from '@/lib/platform/db/generated/client';
import type { ApiKey, Me } from '@/lib/schemas/api-key';

/** All keys of the organization, revoked and expired ones too, newest first. */
export async function listApiKeys(ctx: OrganizationContext): Promise<ApiKey[]> {
  requirePermission(ctx, 'api-key.read');
  const rows = await ctx.db.apiKey.findMany({
    where: { organizationId: ctx.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(serializeApiKey);
}

/** One key; NOT_FOUND for an unknown id and for another organization's alike. */
export async function getApiKey(ctx: OrganizationContext, id: string): Promise<ApiKey> {
  requirePermission(ctx, 'api-key.read');
  const row = await ctx.db.apiKey.findFirst({ where: { id, organizationId: ctx.organizationId } });
  if (row === null) throw apiKeyNotFound();
  return serializeApiKey(row);
}

/** The refusal that every verb on a missing key shares. */
export function apiKeyNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'API key not found.');
}

/** The key as the API answers it: neither the key nor its hash. */
function serializeApiKey(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    hint: row.hint,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}

/**
 * Who made each key, as the audit log has it: by key id, the address of a person or the name of another key. A key from
 * before the log, or older than it keeps, is missing.
 */
export async function readKeyCreators(ctx: OrganizationContext): Promise<Map<string, string>> {
  requirePermission(ctx, 'api-key.read');
  const entries = await ctx.db.auditEntry.findMany({
    where: {
      organizationId: ctx.organizationId,
      action: { in: ['api-key.create', 'api-key.rotate'] },
    },
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

/** Who asks: the organization, the key, what the plan allows and how much of it is in use. */
export async function readMe(ctx: OrganizationContext): Promise<Me> {
  requirePermission(ctx, 'organization.read');
  const { db, organizationId, actor } = ctx;
  const where = { organizationId };
  const [organization, key, monitors, statusPages, webhooks, members] = await Promise.all([
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
    db.membership.count({ where }),
  ]);
  const limits = PLANS[organization.plan];
  return {
    organization,
    key,
    limits: {
      monitors: finite(limits.monitors),
      statusPages: finite(limits.statusPages),
      webhooks: finite(limits.webhooks),
      members: finite(limits.members),
      regions: [...limits.regions],
      customDomain: limits.customDomain,
      requestsPerMinute: limits.requestsPerMinute,
    },
    usage: { monitors, statusPages, webhooks, members },
  };
}

function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}
