import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';

/** Whether a published page is served at this domain (in its canonical form). One look into the index of verified domains. */
export async function isServedDomain({ db }: Pick<Services, 'db'>, domain: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>(selectServedDomain(domain));
  return rows.length > 0;
}

/** The statement, for the test that explains it. */
export function selectServedDomain(domain: string): Prisma.Sql {
  return Prisma.sql`
    SELECT id FROM status_page
     WHERE custom_domain = ${domain} AND custom_domain_verified_at IS NOT NULL AND published`;
}
