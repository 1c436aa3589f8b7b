import { randomBytes } from 'node:crypto';
import { type ApiClient, createApiClient } from '@/e2e/support/api-client';
import type { Service } from '@/e2e/support/start-service';
import { createId } from '@/lib/core/ids';
import { createKeyring } from '@/lib/core/keyring';
import { systemClock } from '@/lib/core/time/clock';
import type { Services } from '@/lib/domain/context/services';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { findRunningPostgres } from '@/lib/platform/postgres';
import { insertTestOrganization } from '@/lib/testing/services';
import type { Callee } from './send';

/** An organization of a running service, and its first key, with the scope write. */
export type Tenant = {
  organizationId: string;
  apiKey: string;
  api: ApiClient;
  /** Adds a person with the role member, and returns their ID. */
  addMember(): Promise<string>;
  /** Creates a read key, and returns a client that uses it. */
  addReader(): Promise<ApiClient>;
};

/** Access to a running service besides its API: to act as its operator, and to inspect its database. */
export type Backdoor = {
  db: Database;
  addTenant(plan?: PlanId): Promise<Tenant>;
  /** Callers with a write and a read key of one organization, of another one, and of one on the free plan. */
  addCallers(): Promise<Record<'api' | 'readOnly' | 'foreign' | 'free', ApiClient>>;
  changePlan(tenant: Tenant, plan: PlanId): Promise<void>;
  close(): Promise<void>;
};

/** Opens the database of a service from `startService` or `borrowService`. Tenants call its API by `fetch`, by default over HTTP. */
export async function openBackdoor({
  dataDir,
  url,
  fetch,
}: Pick<Service, 'dataDir'> & Callee): Promise<Backdoor> {
  const postgres = await findRunningPostgres(dataDir);
  if (postgres === null) throw new Error(`no database is running in ${dataDir}`);
  const db = createDatabase(postgres.url, { poolSize: 4, name: 'pharos tests' });
  // Creating an organization and setting its plan encrypt nothing: the service's own key is not needed.
  const keyring = createKeyring('no key of the service '.repeat(2));
  const services: Services = {
    db,
    clock: systemClock,
    keyring,
    targetPolicy: { mode: 'private', allowedCidrs: [] },
    mail: { isOn: false },
    sessions: { lifetimeMs: 0, idleMs: 0 },
    appUrl: null,
    contact: 'https://pharos.test',
  };
  const addTenant = async (plan: PlanId = 'enterprise'): Promise<Tenant> => {
    const email = `owner-${randomBytes(6).toString('hex')}@example.com`;
    const input = { name: 'Acme', plan, email, password: 'correct horse' };
    const { organizationId, apiKey } = await insertTestOrganization(services, input);
    const addMember = () => addPerson(db, organizationId);
    const api = createApiClient(url, apiKey, fetch);
    const addReader = async () => {
      const { body } = await api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
      return createApiClient(url, body.apiKey, fetch);
    };
    return { organizationId, apiKey, api, addMember, addReader };
  };
  return {
    db,
    addTenant,
    addCallers: async () => {
      const [mine, other, small] = [await addTenant(), await addTenant(), await addTenant('free')];
      return { api: mine.api, readOnly: await mine.addReader(), foreign: other.api, free: small.api };
    },
    changePlan: ({ organizationId }, plan) => changePlan(services, organizationId, plan),
    close: () => db.$disconnect(),
  };
}

async function addPerson(db: Database, organizationId: string): Promise<string> {
  const id = createId('user');
  const email = `member-${randomBytes(6).toString('hex')}@example.com`;
  const createdAt = new Date();
  await db.user.create({
    data: {
      id,
      email,
      passwordHash: 'no one signs in with this',
      createdAt,
      updatedAt: createdAt,
      memberships: { create: { organizationId, role: 'member', createdAt } },
    },
  });
  return id;
}
