import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Maker } from '@/app/api/testing/fixtures';
import { createApiClient } from '@/e2e/support/api-client';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { log, root, startProcess, startTargets } from '../playground';
import { addIncidents, addPerson, openBench } from '../seed';
import { seedHistories } from '../seed-history';

const MONITORS = 1000;
/** Of the status page: enough for a history and a search that read much. */
const INCIDENTS = 5000;
const SLUG = 'costs';

/** A service with one large organization, and what requests to it need. */
export type CostsWorld = Awaited<ReturnType<typeof openCostsWorld>>;

/**
 * Starts a service: an organization of 1,000 monitors with three months of history, a status page with all of them and 5,000
 * incidents, a web process whose event loop is watched, and a worker for what is paused or tested on request.
 */
export async function openCostsWorld() {
  const bench = await openBench();
  const { services, environment, directory, origin } = bench;
  const [seeded] = await seedHistories(services, [MONITORS]);
  if (!seeded) throw new Error('no organization was created');
  const { apiKey, cookie, monitorId } = seeded;
  const { organizationId } = await services.db.monitor.findUniqueOrThrow({ where: { id: monitorId } });
  const owner = await services.db.membership.findFirstOrThrow({ where: { organizationId } });
  const ctx: OrganizationContext = {
    ...services,
    organizationId,
    actor: { kind: 'user', userId: owner.userId, role: 'owner' },
  };
  const monitors = await services.db.monitor.findMany({ where: { organizationId }, select: { id: true } });
  const monitorIds = monitors.map(({ id }) => id);
  log(`writing ${INCIDENTS} incidents`);
  await addPage(ctx, { name: 'Costs', slug: SLUG, monitors: monitorIds, published: true });
  await addIncidents(ctx, monitorIds, INCIDENTS);

  const portFile = join(directory, 'event-loop-port');
  const probe = pathToFileURL(join(root, 'app', 'testing', 'event-loop-probe.mjs'));
  const web = await startProcess('web', {
    ...environment,
    NODE_OPTIONS: `--import=${probe}?port-file=${portFile}`,
  });
  // Of another region than the seeded monitors, which are not checked.
  const worker = await startProcess('worker', { ...environment, PROBE_REGIONS: 'eu-west' });
  const targets = await startTargets();
  const api = createApiClient(origin, apiKey);
  const { body: reader } = await api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
  const addMember = async () => (await addPerson(ctx, 'member')).userId;
  const maker: Maker = { api, receiverUrl: 'http://127.0.0.1:9/', db: services.db, addMember };
  return {
    ...bench,
    web,
    worker,
    portFile,
    apiKey,
    cookie,
    monitorIds,
    maker,
    slug: SLUG,
    targetUrl: `http://127.0.0.1:${targets.ports.responding[0]}/`,
    readKey: String(reader.apiKey),
    viewerCookie: (await addPerson(ctx, 'viewer')).cookie,
  };
}
