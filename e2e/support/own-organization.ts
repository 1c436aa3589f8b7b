import { randomBytes } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import type { OrganizationContext, Role } from '@/lib/domain/context/organization-context';
import { createSession } from '@/lib/domain/people/sessions';
import type { PlanId } from '@/lib/plans/catalogue';
import { insertTestOrganization } from '@/lib/testing/services';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { type ApiClient, createApiClient } from './api-client';
import type { ServiceAccess } from './service-access';

const PASSWORD = 'correct horse battery';

/** An organization created for one test, with its owner. */
export type OwnOrganization = {
  id: string;
  owner: { id: string; email: string; password: string };
  apiKey: string;
  api: ApiClient;
  /** For domain operations on behalf of the owner, to set up what a test needs. */
  ctx: OrganizationContext;
  /** Signs the owner in for a browser context by setting the session cookie. */
  signIn(context: BrowserContext): Promise<void>;
  /** A session of the owner, as the `Cookie` of requests without a browser. */
  createCookie(): Promise<string>;
  /** Changes the owner's role as of the next request. */
  setRole(role: Role): Promise<void>;
};

/** Creates an organization in a running service like the command line does, but without starting a process. */
export async function createOrganizationIn(
  { url, access: { services } }: { url: string; access: ServiceAccess },
  { plan }: { plan: PlanId },
): Promise<OwnOrganization> {
  const email = `owner-${randomBytes(6).toString('hex')}@example.com`;
  const input = { name: 'Acme', plan, email, password: PASSWORD };
  const { organizationId, userId, apiKey } = await insertTestOrganization(services, input);
  const name = sessionCookieName(false);
  const createValue = async () => {
    const session = await createSession(services, { userId, address: null, userAgent: null });
    return sealSession(services, session);
  };
  return {
    id: organizationId,
    owner: { id: userId, email, password: PASSWORD },
    apiKey,
    api: createApiClient(url, apiKey),
    ctx: { ...services, organizationId, actor: { kind: 'user', userId, role: 'owner' } },
    signIn: async (context) => {
      await context.addCookies([{ name, value: await createValue(), url, httpOnly: true }]);
    },
    createCookie: async () => `${name}=${await createValue()}`,
    setRole: async (role) => {
      await services.db.membership.updateMany({ where: { organizationId, userId }, data: { role } });
    },
  };
}
