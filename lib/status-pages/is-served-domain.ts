import type { Services } from '@/lib/context/services';

/** Whether a published page is served at this domain (in its canonical form). One look into the index of verified domains. */
export async function isServedDomain({ db }: Pick<Services, 'db'>, domain: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT FROM status_page
     WHERE custom_domain = ${domain} AND custom_domain_verified_at IS NOT NULL AND published`;
  return rows.length > 0;
}
