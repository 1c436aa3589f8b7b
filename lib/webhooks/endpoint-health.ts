import { Prisma } from '@/lib/db/generated/client';

/** An endpoint whose tries only fail for so long … */
const FAILING_DAYS = 5;
/** … and with so many deliveries that failed for good meanwhile, is disabled. */
const FAILED_DELIVERIES = 3;

/** The statement that notes a try that succeeded: whatever failed before, the endpoint is well. */
export function noteSuccess(endpointId: string): Prisma.Sql {
  return Prisma.sql`
    UPDATE webhook_endpoint SET failing_since = NULL, failed_deliveries = 0,
           status = CASE WHEN enabled THEN 'active' ELSE status END
     WHERE id = ${endpointId} AND failing_since IS NOT NULL`;
}

/**
 * The statement that notes a try of the schedule that failed, `isLast` when its delivery failed with it. The endpoint is failing until a try
 * succeeds; after 5 days without one, and at least 3 failed deliveries, it is disabled.
 */
export function noteFailure(endpointId: string, { isLast, now }: { isLast: boolean; now: Date }): Prisma.Sql {
  const failed = isLast ? 1 : 0;
  return Prisma.sql`
    WITH judged AS (
      SELECT id, failed_deliveries + ${failed}::int AS failed, coalesce(failing_since, ${now}::timestamptz) AS since
        FROM webhook_endpoint WHERE id = ${endpointId} AND enabled FOR UPDATE
    ), verdict AS (
      SELECT *, failed >= ${FAILED_DELIVERIES}::int
             AND since <= ${now}::timestamptz - make_interval(days => ${FAILING_DAYS}::int) AS is_over FROM judged
    )
    UPDATE webhook_endpoint AS endpoint SET failing_since = since, failed_deliveries = failed, enabled = NOT is_over,
           status = CASE WHEN is_over THEN 'disabled'::webhook_status ELSE 'failing' END,
           auto_disabled_at = CASE WHEN is_over THEN ${now}::timestamptz END,
           updated_at = CASE WHEN is_over THEN ${now}::timestamptz ELSE updated_at END
      FROM verdict WHERE endpoint.id = verdict.id
    RETURNING endpoint.*, is_over`;
}

/**
 * The statement that writes what members are told by e-mail of the endpoints that `noted`, the result of `noteFailure`, has
 * just disabled. They are named by their description or their host: an address can be a secret.
 */
export function tellOfDisabled(): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO member_notice (organization_id, kind, subject_id, subject_name, occurred_at)
    SELECT organization_id, 'webhook.disabled', id,
           coalesce(nullif(description, ''), substring(url from '^[a-zA-Z]+://([^/?#]+)'), id), auto_disabled_at
      FROM noted WHERE is_over`;
}
