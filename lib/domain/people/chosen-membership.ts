import { Prisma } from '@/lib/platform/db/generated/client';

/**
 * The membership by which a row of `session` acts, for a lateral join: in the organization that was chosen in this browser
 * while the person belongs to it, else in the one they joined first.
 */
export const chosenMembership = Prisma.sql`
  SELECT membership.organization_id, membership.role::text AS role, organization.name
    FROM membership JOIN organization ON organization.id = membership.organization_id
   WHERE membership.user_id = session.user_id
   ORDER BY (membership.organization_id = session.organization_id) IS TRUE DESC,
            membership.created_at, membership.organization_id
   LIMIT 1`;
