import { test as base } from '@playwright/test';
import { TEST_MS } from '@/bin/testing/patience.mjs';
import type { PlanId } from '@/lib/plans/catalogue';
import { createOrganizationIn, type OwnOrganization } from './own-organization';
import { openServices, type ServiceAccess } from './service-access';
import { type Service, startService } from './start-service';

/** The service shared by the specs of a run, with access to its database. */
type SharedService = Service & { access: ServiceAccess };

type TestFixtures = {
  /** The plan of `organization`; override it with `test.use({ plan: 'free' })`. */
  plan: PlanId;
  /** An organization of this test only. */
  organization: OwnOrganization;
};

/**
 * Playwright's `test` with one shared service: starting a service takes seconds, creating an organization a tenth of one.
 * Specs about setup, start or stop call `startService` themselves.
 */
export const test = base.extend<TestFixtures, { service: SharedService }>({
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
    { scope: 'worker', timeout: TEST_MS },
  ],
  plan: ['enterprise', { option: true }],
  organization: async ({ service, plan }, use) => {
    await use(await createOrganizationIn(service, { plan }));
  },
});

export { expect } from '@playwright/test';
