import { afterAll, beforeAll } from 'vitest';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { type InProcessApi, openInProcessApi } from './in-process';
import type { Callee } from './send';
import { type Backdoor, openBackdoor, type Tenant } from './tenants';

/** The running service of a test file, and an organization of its own there. Filled before the first test. */
export type Setting = { service: BorrowedService & Callee; backdoor: Backdoor; tenant: Tenant };

/**
 * Borrows the running service for a test file, with a new organization. `inProcess` calls its API in this process, for what does not
 * depend on the server: see in-process.ts.
 */
export function borrowTenant({ inProcess = false } = {}): Setting {
  const setting = {} as Setting;
  let api: InProcessApi | undefined;
  beforeAll(async () => {
    const service = await borrowService();
    api = inProcess ? await openInProcessApi(service) : undefined;
    setting.service = { ...service, fetch: api?.fetch };
    setting.backdoor = await openBackdoor(setting.service);
    setting.tenant = await setting.backdoor.addTenant();
  });
  afterAll(async () => {
    await setting.backdoor?.close();
    await api?.close();
  });
  return setting;
}
