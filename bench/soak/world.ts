import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { portOf, startScript, startService } from '../playground';
import { addMonitors, addOrganization, openBench } from '../seed';
import type { Setting } from './setting';

const SLUG = 'soak';

/** What a sample looks at. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** A whole installation with monitors, a receiver of all their events, and a page that shows some of them. */
export async function openWorld({ monitors, interval }: Setting) {
  const targets = await startScript('checks/scripts/targets.mjs');
  const { http } = targets.hello as { http: number[] };
  const { services, environment, database, origin, close } = await openBench({
    NETWORK_CANARY: `127.0.0.1:${http[0]}`,
  });
  const { organizationId, ctx } = await addOrganization(services);
  const urlOf = (number: number) => `http://127.0.0.1:${http[number % http.length]}/service/${number}`;
  await addMonitors(services, organizationId, { monitors, interval, timeout: 10, alertThreshold: 2 }, urlOf);
  const shown = await services.db.monitor.findFirstOrThrow();
  await addPage(ctx, { name: 'Soak', slug: SLUG, monitors: [shown.id], published: true });
  const receiver = await startScript('webhooks/receiver.mjs', ['responding']);
  const url = `http://127.0.0.1:${portOf(receiver)}/`;
  await createWebhook(ctx, createWebhookSchema.parse({ url, events: ['monitor.down', 'monitor.up'] }));
  const service = await startService(environment);
  return {
    db: services.db,
    targets,
    receiver,
    /** IDs of the deliveries that have arrived. */
    seen: new Set<string>(),
    ended: service.ended,
    page: `${origin}/status/${SLUG}`,
    health: `${origin}/api/health`,
    pids: { launcher: service.pid, database: database.pid() },
    close: async () => {
      await service.stop();
      await Promise.all([targets.stop(), receiver.stop()]);
      await close();
    },
  };
}
