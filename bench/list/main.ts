import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { conclude, count, type Load, load, log, markdownTable, startProcess, today } from '../playground';
import { openBench } from '../seed';
import { browse, STEP_PX, type Visit } from './browse';
import { seed, settle } from './seed';

const SIZES = [10, 100, 1000];
const WARM_UP = 20;
const REQUESTS = 60;

type Row = { monitors: number; load: Load; visit: Visit };

/** CPU per request of the monitor list at several sizes, and measurements in a browser. Returns the exit code. */
export async function main(): Promise<number> {
  const { environment, services, origin } = await openBench();
  await ensureResultPartitions(services.db, services.clock.now());
  const web = await startProcess('web', environment);
  const url = `${origin}/monitors`;

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
  return conclude({ name: 'list', markdown: formatReport(rows) });
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`;

function formatVisit(visit: Visit): string[] {
  if (visit === null) return ['–', '–', '–', '–'];
  const { elements, loadMs, frameMs, scriptBytes } = visit;
  return [count(elements), loadMs.toFixed(0), frameMs.toFixed(1), kilobytes(scriptBytes)];
}

function formatReport(rows: Row[]): string {
  const inBrowser = ['elements', 'browser load, ms', 'browser per frame, ms', 'JavaScript'];
  const cells = rows.map(({ monitors, load: { bytes, cpuMs }, visit }) => {
    return [monitors, kilobytes(bytes), cpuMs.toFixed(1), ...formatVisit(visit)];
  });
  return `# Monitor list

\`node bench/run.mjs list\`, measured on ${today()}: CPU milliseconds of the web process per request of the page
\`/monitors\` (${REQUESTS} requests over eight connections) and its size on the wire; then, in Chromium at 1440 × 900, the number of
elements, the CPU of the main thread to load and per frame while scrolling through the whole page (${STEP_PX}
pixels per frame), and the JavaScript of the first load. Each monitor has 90 status changes in 30 days and a check every five minutes of
the last day.

${markdownTable(['monitors', 'HTML', 'CPU ms', ...inBrowser], cells)}
`;
}
