import { afterAll, beforeAll } from 'vitest';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { type Backdoor, openBackdoor, type Tenant } from './tenants';

/** The running service of a test file, and an organization of its own there. Filled before the first test. */
export type Setting = { service: BorrowedService; backdoor: Backdoor; tenant: Tenant };

/** Borrows the running service for a test file, with a new organization. */
export function borrowTenant(): Setting {
  const setting = {} as Setting;
  beforeAll(async () => {
    setting.service = await borrowService();
    setting.backdoor = await openBackdoor(setting.service);
    setting.tenant = await setting.backdoor.addTenant();
  });
  afterAll(() => setting.backdoor?.close());
  return setting;
}
