import { Prisma } from '@/lib/platform/db/generated/client';

/** Whether `person`, a row of "user", has set up a second factor. */
export const hasSecondFactor = Prisma.sql`
  EXISTS (SELECT FROM totp_factor WHERE totp_factor.user_id = person.id AND totp_factor.confirmed_at IS NOT NULL)`;

/** Whether an organization of `person` requires a second factor by now. */
export function requiresSecondFactor(now: Date): Prisma.Sql {
  return Prisma.sql`
    EXISTS (SELECT FROM membership JOIN organization ON organization.id = membership.organization_id
             WHERE membership.user_id = person.id AND organization.second_factor_from <= ${now})`;
}
