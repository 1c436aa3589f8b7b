import { beforeAll, expect } from 'vitest';
import { openServices } from '@/e2e/support/service-access';
import { createSession } from '@/lib/domain/people/sessions';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { borrowTenant } from './borrow-tenant';
import { listDashboardPaths } from './dashboard-paths';
import { CLOSED, makeAllFixtures, unknownLike } from './fixtures';
import { listDocumentedOperations } from './operations';

/** Fixtures by the folder of their parameter. */
const NAMED: Record<string, string> = {
  monitors: '/monitors/{id}',
  incidents: '/incidents/{id}',
  templates: '/incident-templates/{id}',
  maintenance: '/maintenance/{id}',
  notifications: '/webhooks/{id}',
  email: '/email-recipients/{id}',
  deliveries: '/deliveries/{id}',
  'status-pages': '/status-pages/{slug}',
};

export const DASHBOARD_PATHS = listDashboardPaths();

/** An organization with an object of each kind, and the owner of another one, who visits the dashboard with their browser. */
export function visitDashboardOfOthers() {
  const setting = borrowTenant();
  let fixtures: Map<string, string>;
  let cookie: string;

  beforeAll(async () => {
    const paths = (await listDocumentedOperations()).map(({ path }) => path);
    const maker = { ...setting.tenant, receiverUrl: CLOSED, db: setting.backdoor.db };
    fixtures = await makeAllFixtures(paths, maker);
    const { organizationId } = await setting.backdoor.addTenant();
    const { services, close } = await openServices(setting.service.dataDir);
    const { userId } = await services.db.membership.findFirstOrThrow({ where: { organizationId } });
    const session = await createSession(services, { userId, address: null, userAgent: null });
    cookie = `${sessionCookieName(false)}=${await sealSession(services, session)}`;
    await close();
  });

  const visit = async (path: string) => {
    const response = await fetch(`${setting.service.url}${path}`, {
      headers: { cookie },
      redirect: 'manual',
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    // The stream never ends, and has its own tests.
    if (isStream) await response.body?.cancel();
    return { status: response.status, text: isStream ? '' : await response.text() };
  };

  const pickFixture = (path: string): string => {
    const [, folder = ''] = /([^/]+)\/\[\w+\]/.exec(path) ?? [];
    const value = fixtures.get(NAMED[folder] ?? '');
    if (value === undefined) throw new Error(`add ${path} to NAMED`);
    return value;
  };

  /** Requires that a path with a parameter responds as if the object of the other organization did not exist. */
  const requireUnknown = async (path: string): Promise<void> => {
    const value = pickFixture(path);
    const { status, text } = await visit(path.replace(/\[\w+\]/, value));
    // A path for POST only returns 405 to everyone.
    expect(status).toBeOneOf([404, 405]);
    for (const id of [setting.tenant.organizationId, ...fixtures.values()]) {
      if (id !== value) expect(text).not.toContain(id);
    }
  };

  /** Requires that a path without parameters shows nothing of the other organization. */
  const requireEmpty = async (path: string): Promise<void> => {
    const { status, text } = await visit(path);
    // A path for POST only shows nothing.
    expect(status).toBeOneOf([200, 307, 405]);
    for (const id of [setting.tenant.organizationId, ...fixtures.values()]) expect(text).not.toContain(id);
  };

  /** Whether the object of another organization gets the same status as a missing one. */
  const compareWithMissing = async (path: string) => {
    const value = pickFixture(path);
    const theirs = await visit(path.replace(/\[\w+\]/, value));
    const missing = await visit(path.replace(/\[\w+\]/, unknownLike(value)));
    return [theirs.status, missing.status];
  };
  return { requireUnknown, requireEmpty, compareWithMissing };
}
