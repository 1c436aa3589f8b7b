import type { Client } from './client';
import type { Observations, PublicPage, ShownIncident, WatchedMonitor } from './observations';
import type { World } from './world';

type Known = { clients: Client[]; monitors: WatchedMonitor[]; endpoints: Map<string, number> };
type Shown = Pick<Observations, 'uptimes' | 'transitions' | 'deliveries' | 'incidents' | 'pages'>;

const moment = (text: unknown) => Date.parse(String(text));
const slugOf = (organization: number) => `faults-${organization}`;

/** Publishes a page per organization with all its monitors, before anything happens to them. */
export async function publishPages({
  clients,
  monitors,
}: Pick<Known, 'clients' | 'monitors'>): Promise<void> {
  for (const [organization, client] of clients.entries()) {
    const own = monitors.filter(({ plan }) => plan.organization === organization);
    const { status } = await client.request('POST', '/status-pages', {
      name: `Organization ${organization}`,
      slug: slugOf(organization),
      monitors: own.map(({ id }) => id),
      published: true,
    });
    if (status !== 201) throw new Error(`POST /status-pages: ${status}`);
  }
}

/** Reads what an organization can see through the API and on its status page. `clients` are in the order of the organizations. */
export async function readApi({ time }: World, { clients, monitors, endpoints }: Known): Promise<Shown> {
  const shown: Shown = { uptimes: {}, transitions: [], deliveries: [], incidents: [], pages: [] };
  for (const [organization, client] of clients.entries()) {
    const slug = slugOf(organization);
    const { body } = await client.request('GET', `/status-pages/public?slug=${slug}`);
    const html = await client.read(`/status/${slug}`);
    shown.pages.push({ organization, readAt: time.now(), json: body as PublicPage, html });
    for (const row of await client.list('/incidents?limit=100&automatic=true'))
      shown.incidents.push(toIncident(row));
    for (const { id, uptimePercentage } of await client.list('/monitors'))
      shown.uptimes[String(id)] = Number(uptimePercentage);
    for (const row of await client.list('/deliveries?limit=100')) {
      const endpoint = endpoints.get(String(row.webhookId));
      // Not in the plan: its secret is poison.
      if (endpoint === undefined) continue;
      shown.deliveries.push({
        id: String(row.id),
        endpoint,
        event: String(row.event),
        status: String(row.status),
        createdAt: moment(row.createdAt),
        attempts: Number(row.attempts),
      });
    }
  }
  for (const { id, plan, deletedAt } of monitors) {
    const client = clients[plan.organization];
    if (deletedAt !== null || !client) continue;
    for (const row of await client.list(`/monitors/${id}/transitions?limit=100`))
      shown.transitions.push({
        monitorId: id,
        from: row.from === null ? null : String(row.from),
        to: String(row.to),
        at: moment(row.at),
        decidedAt: moment(row.decidedAt),
        endedAt: row.endedAt === null ? null : moment(row.endedAt),
      });
  }
  return shown;
}

function toIncident(row: Record<string, unknown>): ShownIncident {
  return {
    id: String(row.id),
    monitorIds: row.affectedMonitors as string[],
    severity: String(row.severity),
    status: String(row.status),
    startedAt: moment(row.startedAt),
    createdAt: moment(row.createdAt),
    resolvedAt: row.resolvedAt === null ? null : moment(row.resolvedAt),
  };
}
