import { test as base } from '@playwright/test';
import type { PlanId } from '@/lib/plans/catalogue';
import { createOrganizationIn, type OwnOrganization } from './own-organization';
import { openServices, type ServiceAccess } from './service-access';
import { type Service, startService } from './start-service';

/** The service that the specs of a run share, and the way into its database beside its pages and API. */
export type SharedService = Service & { access: ServiceAccess };

type OfEachTest = {
  /** The plan of `organization`; `test.use({ plan: 'free' })` for another. */
  plan: PlanId;
  /** An organization that no other test knows. */
  organization: OwnOrganization;
};

/**
 * Playwright's `test` with one running service for all specs that use it: starting one takes seconds, an organization of
 * one's own a tenth of one. A spec about set-up, start or stop runs `startService` itself.
 */
export const test = base.extend<OfEachTest, { service: SharedService }>({
  service: [
    async ({ playwright: _ }, use) => {
      const service = await startService();
      try {
        const access = await openServices(service.dataDir);
        await use({ ...service, access });
        await access.close();
      } finally {
        await service.stop();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  plan: ['enterprise', { option: true }],
  organization: async ({ service, plan }, use) => {
    await use(await createOrganizationIn(service, { plan }));
  },
});

export { expect } from '@playwright/test';
