import { conclude, log, markdownTable, runLighthouse, type Scores, today } from '../playground';
import { startDemo } from './start-demo';

const LIMITS = { performance: 95, accessibility: 100 } as const;

type Row = { page: string; result: Scores | null };

/** Runs Lighthouse for desktop on the monitor list and on a monitor. Returns the exit code: 1 if a limit is exceeded. */
export async function main(): Promise<number> {
  const demo = await startDemo(log);
  try {
    const cookie = `${demo.cookie.name}=${demo.cookie.value}`;
    const paths = {
      'Monitor list': '/monitors',
      Monitor: `/monitors/${await demo.monitorId('Website')}`,
    };
    const rows: Row[] = [];
    for (const [page, path] of Object.entries(paths)) {
      log(`Lighthouse: ${page}`);
      rows.push({ page, result: await runLighthouse(demo.url + path, { isDesktop: true, cookie }) });
    }
    return await conclude({
      name: 'dashboard',
      markdown: formatReport(rows),
      broken: rows.flatMap(listBroken),
    });
  } finally {
    await demo.stop();
  }
}

function listBroken({ page, result }: Row): string[] {
  if (result === null) return [`${page}: no browser found`];
  return Object.entries(LIMITS).flatMap(([name, least]) => {
    const score = result.scores[name] ?? 0;
    return score >= least ? [] : [`${page}: ${name} is ${score}, not ${least}`];
  });
}

function formatReport(rows: Row[]): string {
  const cells = rows.map(({ page, result }) => {
    const of = (name: string) => result?.scores[name] ?? '–';
    return [page, of('performance'), of('accessibility'), of('best-practices'), of('seo')];
  });
  const failing = rows.flatMap(
    ({ page, result }) => result?.failing.map((line) => `- ${page}: ${line}`) ?? [],
  );
  return `# Dashboard

\`node bench/run.mjs dashboard\`, measured on ${today()}: Lighthouse on desktop, signed in, with the demo of 12 monitors and 90 days.
Limits: performance ${LIMITS.performance}, accessibility ${LIMITS.accessibility}. Pages behind sign-in exclude search engines, which lowers the SEO score.

${markdownTable(['page', 'performance', 'accessibility', 'best practices', 'SEO'], cells)}

${failing.join('\n')}
`;
}
