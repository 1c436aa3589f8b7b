import { Prisma } from '@/lib/platform/db/generated/client';

/** Whether `person`, a row of "user", has set up a second factor. */
export const hasSecondFactor = Prisma.sql`
  EXISTS (SELECT FROM totp_factor WHERE totp_factor.user_id = person.id AND totp_factor.confirmed_at IS NOT NULL)`;
