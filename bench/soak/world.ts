import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { childEnvironment } from '@/lib/env';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { portOf, root, startScript } from '../playground';
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
  await addMonitors(
    services,
    organizationId,
    { monitors: monitors - 1, interval, timeout: 10, alertThreshold: 2 },
    urlOf,
  );
  const shown = await createMonitor(
    ctx,
    createMonitorSchema.parse({ name: 'Shown', url: urlOf(0), regions: ['us-east'] }),
  );
  await addPage(ctx, { name: 'Soak', slug: SLUG, monitors: [shown.id], published: true });
  const receiver = await startScript('webhooks/receiver.mjs', ['responding']);
  const url = `http://127.0.0.1:${portOf(receiver)}/`;
  await createWebhook(ctx, createWebhookSchema.parse({ url, events: ['monitor.down', 'monitor.up'] }));
  const service = spawn(process.execPath, [join(root, 'bin', 'pharos.mjs'), 'start'], {
    cwd: root,
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => service.kill('SIGTERM'));
  const ended = once(service, 'exit').then(() => {
    throw new Error('the service ended; see the lines above');
  });
  ended.catch(() => undefined);
  await Promise.race([once(service.stdout, 'data'), ended]);
  return {
    db: services.db,
    clock: services.clock,
    targets,
    receiver,
    ended,
    page: `${origin}/status/${SLUG}`,
    health: `${origin}/api/health`,
    pids: { launcher: service.pid ?? 0, database: database.pid() },
    close: async () => {
      service.kill('SIGTERM');
      await once(service, 'exit');
      await Promise.all([targets.stop(), receiver.stop()]);
      await close();
    },
  };
}
