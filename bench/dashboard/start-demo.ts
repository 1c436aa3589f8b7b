import { seedDemo } from '@/bin/demo/seed-demo';
import { createSession } from '@/lib/domain/people/sessions';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { openServices } from '../../e2e/support/service-access';
import { startService } from '../../e2e/support/start-service';

/** A running service with demo data, with its owner signed in. */
export type RunningDemo = Awaited<ReturnType<typeof startDemo>>;

/** Starts a service, creates the demo, and waits until its monitors have been checked. */
export async function startDemo(log: (line: string) => void) {
  const service = await startService();
  const { services, close } = await openServices(service.dataDir);
  const demo = await seedDemo(services, {
    email: 'demo@example.com',
    password: 'correct horse battery',
    slug: 'demo',
    days: 90,
    service: new URL(service.url),
    settings: { appUrl: undefined, needsProof: true, dnsServers: [], knowsAddresses: false },
    onProgress: (name, done, all) => log(`${done + 1} of ${all}: ${name}`),
  });
  const { organizationId, userId } = demo;
  const session = await createSession(services, { userId, address: null, userAgent: null });
  return {
    url: service.url,
    /** The session. */
    cookie: { name: sessionCookieName(false), value: await sealSession(services, session) },
    /** The ID of a monitor by name. */
    monitorId: async (name: string) =>
      (await services.db.monitor.findFirstOrThrow({ where: { organizationId, name } })).id,
    /** The newest of each of what else has a page of its own. */
    newestIds: async () => {
      const { db } = services;
      const newest = { where: { organizationId }, orderBy: { id: 'desc' } } as const;
      const [incident, maintenance, endpoint, delivery] = await Promise.all([
        db.incident.findFirstOrThrow(newest),
        db.maintenanceWindow.findFirstOrThrow(newest),
        db.webhookEndpoint.findFirstOrThrow(newest),
        db.delivery.findFirst(newest),
      ]);
      return {
        incident: incident.id,
        maintenance: maintenance.id,
        endpoint: endpoint.id,
        delivery: delivery?.id ?? null,
      };
    },
    stop: async () => {
      await close();
      await service.stop();
    },
  };
}
