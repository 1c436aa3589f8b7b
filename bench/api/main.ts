import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@/lib/core/ports';
import type { ProcessServices } from '@/lib/domain/context/services';
import { conclude, count, type Load, load, log, markdownTable, startProcess, today } from '../playground';
import { addMonitors, addOrganization, openBench } from '../seed';
import { startBareNext } from './bare-next';

const SIZES = [10, 100, 1000];
const WARM_UP = 100;
const REQUESTS = 400;
/** Requests per organization are rate limited, so each size has its own organization. */
type Row = { monitors: number; pharos: Load; bare: Load };

/** CPU per request of GET /monitors, compared with a bare Next route that sends the same bytes. Returns the exit code. */
export async function main(): Promise<number> {
  const { directory, environment, services, origin } = await openBench();
  const web = await startProcess('web', environment);

  log('building a bare Next application');
  const bodies = join(directory, 'bodies');
  await mkdir(bodies);
  const barePort = await findFreePort();
  const bare = await startBareNext(bodies, barePort);

  const rows: Row[] = [];
  for (const monitors of SIZES) {
    log(`measuring with ${monitors} monitors`);
    const apiKey = await addMonitored(services, monitors);
    const url = `${origin}/api/monitors`;
    const headers = { Authorization: `Bearer ${apiKey}` };
    const body = await (await fetch(url, { headers })).text();
    await writeFile(join(bodies, String(monitors)), body);
    const bareUrl = `http://127.0.0.1:${barePort}/api?name=${monitors}`;
    const warm = { requests: WARM_UP, headers };
    await load(url, { ...warm, pid: web.pid });
    await load(bareUrl, { ...warm, pid: bare.pid });
    rows.push({
      monitors,
      pharos: await load(url, { headers, requests: REQUESTS, pid: web.pid }),
      bare: await load(bareUrl, { headers, requests: REQUESTS, pid: bare.pid }),
    });
  }
  return conclude({ name: 'api', markdown: formatReport(rows) });
}

async function addMonitored(services: ProcessServices, monitors: number): Promise<string> {
  const { organizationId, apiKey } = await addOrganization(services, `bench-${monitors}`);
  const size = { monitors, interval: 60, timeout: 30 };
  await addMonitors(services, organizationId, size, () => 'http://127.0.0.1:9/');
  return apiKey;
}

function formatReport(rows: Row[]): string {
  const cells = rows.map(({ monitors, pharos, bare }) => {
    const cpu = [pharos.cpuMs.toFixed(2), bare.cpuMs.toFixed(2), (pharos.cpuMs / bare.cpuMs).toFixed(1)];
    return [monitors, count(pharos.bytes), ...cpu];
  });
  return `# GET /api/monitors

\`node bench/run.mjs api\`, measured on ${today()}: CPU milliseconds of the web process per request, ${REQUESTS} requests
over eight connections, compared with a bare Next route handler (\`next start\`) that sends the same bytes from memory, in one run. The
API authenticates, counts the request against the rate limit, reads monitors, states and 30 days of ledger in a fixed number of
queries, and validates the response with its schema.

${markdownTable(['monitors', 'bytes', 'CPU ms', 'CPU ms, bare Next route', 'ratio'], cells)}
`;
}
