import { join } from 'node:path';
import { findFreePort } from '@/lib/core/ports';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import {
  conclude,
  type Load,
  load,
  log,
  markdownRow,
  openPlayground,
  PHAROS_SETTINGS,
  startDatabase,
  startProcess,
} from '../playground';
import { openServices } from '../seed';
import { browse, STEP_PX, type Visit } from './browse';
import { seed, settle } from './seed';

const SIZES = [10, 100, 1000];
const WARM_UP = 20;
const REQUESTS = 60;

type Row = { monitors: number; load: Load; visit: Visit | null };

/** CPU per request of the monitor list at several sizes, and measurements in a browser. Returns the exit code. */
export async function main({ root }: { root: string; words: string[] }): Promise<number> {
  const directory = openPlayground();

  log('starting PostgreSQL and the web process');
  const postgres = await startDatabase(root, directory);
  const port = await findFreePort();
  const environment = { ...PHAROS_SETTINGS, DATABASE_URL: postgres.url, PORT: String(port) };
  const services = await openServices(environment);
  await ensureResultPartitions(services.db, services.clock.now());
  const web = await startProcess(root, 'web', environment);
  const url = `http://127.0.0.1:${port}/monitors`;

  const cookies = new Map<number, string>();
  for (const monitors of SIZES) {
    log(`writing the history of ${monitors} monitors`);
    cookies.set(monitors, await seed(services, monitors));
  }
  await settle(services);

  const rows: Row[] = [];
  for (const [monitors, cookie] of cookies) {
    log(`measuring with ${monitors} monitors`);
    const options = { headers: { cookie, 'accept-encoding': 'gzip' }, pid: web.pid };
    await load(url, { ...options, requests: WARM_UP });
    const measured = await load(url, { ...options, requests: REQUESTS });
    rows.push({ monitors, load: measured, visit: await browse(url, cookie) });
  }

  await Promise.all([web.stop(), services.db.$disconnect()]);
  await postgres.stop();
  const report = formatReport(rows, new Date());
  return conclude({ table: report, files: { 'list.md': report }, out: join(root, 'docs', 'benchmarks') });
}

function formatReport(rows: Row[], at: Date): string {
  const lines = rows.map(({ monitors, load: { bytes, cpuMs }, visit }) => {
    const kilobytes = (count: number) => `${(count / 1000).toFixed(0)} KB`;
    const seen = visit
      ? [
          visit.elements.toLocaleString('en'),
          visit.loadMs.toFixed(0),
          visit.frameMs.toFixed(1),
          kilobytes(visit.scriptBytes),
        ]
      : ['–', '–', '–', '–'];
    return markdownRow([monitors, kilobytes(bytes), cpuMs.toFixed(1), ...seen]);
  });
  return `# Monitor list

\`node bench/run.mjs list\`, measured on ${at.toISOString().slice(0, 10)}: CPU milliseconds of the web process per request of the page
\`/monitors\` (${REQUESTS} requests over eight connections) and its size on the wire; then, in Chromium at 1440 × 900, the number of
elements, the CPU of the main thread to load and per frame while scrolling through the whole page (${STEP_PX}
pixels per frame), and the JavaScript of the first load. Each monitor has 90 status changes in 30 days and a check every five minutes of
the last day.

| monitors | HTML | CPU ms | elements | browser load, ms | browser per frame, ms | JavaScript |
|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
