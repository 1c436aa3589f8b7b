import type { Services } from '@/lib/domain/context/services';
import type { Domain } from '@/lib/platform/page-front/hosts/domain-list';

/** Every domain that was shown to be its page's, whether the page is published or not: none of them is the app. */
export function readDomains({ db }: Pick<Services, 'db'>): Promise<Domain[]> {
  return db.$queryRaw<Domain[]>`
    SELECT custom_domain AS domain, id, slug FROM status_page WHERE custom_domain_verified_at IS NOT NULL`;
}
