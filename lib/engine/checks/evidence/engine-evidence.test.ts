import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { listEvidence } from '@/lib/domain/monitors/evidence/read-evidence';
import { createStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createTestEngine } from '@/lib/engine/testing/test-engine';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { listenLocally } from '@/lib/testing/http-listener';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

const database = useTestDatabase();
const DOMAINS = { appUrl: undefined, needsProof: true, dnsServers: [], knowsAddresses: true };
const MARKER = 'only-in-the-body-7f3a';

/** The rows of all tables in which a text occurs, bytes included: `check_evidence`. */
async function findInTables(text: string): Promise<string[]> {
  const tables = await database.db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'raw')`;
  const found = [];
  for (const { name } of tables) {
    const rows = await database.db.$queryRawUnsafe<{ row: string }[]>(
      `SELECT row_to_json(t)::text AS row FROM ${name} AS t`,
    );
    const hex = Buffer.from(text).toString('hex');
    if (rows.some(({ row }) => row.includes(text) || row.includes(hex))) found.push(name);
  }
  return found;
}

it('keeps what the first failure saw, encrypted, and nowhere else', async () => {
  const server = createServer((_request, response) => response.writeHead(500).end(MARKER));
  const target = await listenLocally(server);
  onTestFinished(() => target.close());
  const services = createTestServices({ db: database.db, mail: true });
  await ensureResultPartitions(database.db, services.clock.now());
  const { ctx } = await createTestOrganization(services);
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const input = { name: 'Shop', url: target.url, alertThreshold: 1 };
  const { id } = await createMonitor(ctx, createMonitorSchema.parse(input));
  const page = { name: 'Status', slug: 'evidence', monitors: [id], published: true };
  await createStatusPage(ctx, createStatusPageSchema.parse(page), DOMAINS);
  const engine = createTestEngine(services);
  onTestFinished(() => engine.stop(1000));
  engine.startChecks('us-east');

  const list = async () => (await listEvidence(ctx, id, { limit: 50 })).items;
  await expect.poll(list).toHaveLength(1);
  expect((await list())[0]).toMatchObject({
    kind: 'failure',
    region: 'us-east',
    address: '127.0.0.1',
    statusLine: 'HTTP/1.1 500 Internal Server Error',
    body: { text: MARKER, size: MARKER.length },
  });
  // Events, deliveries, incidents and notices were written in the same transaction.
  expect(await database.db.outboxEvent.count()).toBeGreaterThan(0);
  expect(await findInTables('500')).not.toEqual([]);
  expect(await findInTables(MARKER)).toEqual([]);
});
