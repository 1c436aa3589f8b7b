import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/** Whether `person`, a row of "user", has set up an authenticator app. */
export const hasApp = Prisma.sql`
  EXISTS (SELECT FROM totp_factor WHERE totp_factor.user_id = person.id AND totp_factor.confirmed_at IS NOT NULL)`;

/** Whether `person`, a row of "user", has a passkey. */
export const hasPasskey = Prisma.sql`EXISTS (SELECT FROM passkey WHERE passkey.user_id = person.id)`;

/** Whether `person`, a row of "user", has a second factor. */
export const hasSecondFactor = Prisma.sql`(${hasApp} OR ${hasPasskey})`;

/** Whether an organization of `person` requires a second factor by now. */
export function requiresSecondFactor(now: Date): Prisma.Sql {
  return Prisma.sql`
    EXISTS (SELECT FROM membership JOIN organization ON organization.id = membership.organization_id
             WHERE membership.user_id = person.id AND organization.second_factor_from <= ${now})`;
}

/** Which second factors a user has, and whether an organization requires one by now. */
export type Factors = { hasApp: boolean; hasPasskey: boolean; hasFactor: boolean; isRequired: boolean };

/** Reads them; a user who does not exist has none. */
export async function readFactors(
  db: Services['db'] | Transaction,
  userId: string,
  now: Date,
): Promise<Factors> {
  const [row] = await db.$queryRaw<Factors[]>`
    SELECT ${hasApp} AS "hasApp", ${hasPasskey} AS "hasPasskey", ${hasSecondFactor} AS "hasFactor",
           ${requiresSecondFactor(now)} AS "isRequired"
      FROM "user" AS person WHERE person.id = ${userId}`;
  return row ?? { hasApp: false, hasPasskey: false, hasFactor: false, isRequired: false };
}
