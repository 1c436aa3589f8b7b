import { join } from 'node:path';
import { conclude, markdownRow, runLighthouse, type Scores, tell } from '../playground';
import { startDemo } from './start-demo';

const LIMITS = { performance: 95, accessibility: 100 } as const;

type Row = { page: string; result: Scores | null };

/** Lighthouse, as on a desktop, on the list of monitors and on a monitor. Answers the exit code: 1 for a broken limit. */
export async function main({ root }: { root: string; words: string[] }): Promise<number> {
  const demo = await startDemo(tell);
  try {
    const cookie = `${demo.cookie.name}=${demo.cookie.value}`;
    const paths = {
      'Monitors, the list': '/monitors',
      'A monitor': `/monitors/${await demo.monitorId('Website')}`,
    };
    const rows: Row[] = [];
    for (const [page, path] of Object.entries(paths)) {
      tell(`Lighthouse: ${page}`);
      rows.push({ page, result: await runLighthouse(root, demo.url + path, { isDesktop: true, cookie }) });
    }
    const report = formatReport(rows, new Date());
    return await conclude({
      table: report,
      files: { 'dashboard.md': report },
      out: join(root, 'docs', 'benchmarks'),
      broken: rows.flatMap(listBroken),
    });
  } finally {
    await demo.stop();
  }
}

function listBroken({ page, result }: Row): string[] {
  if (result === null) return [`${page}: there was no browser`];
  return Object.entries(LIMITS).flatMap(([name, least]) => {
    const score = result.scores[name] ?? 0;
    return score >= least ? [] : [`${page}: ${name} is ${score}, not ${least}`];
  });
}

function formatReport(rows: Row[], at: Date): string {
  const table = rows.map(({ page, result }) => {
    const of = (name: string) => result?.scores[name] ?? '–';
    return markdownRow([page, of('performance'), of('accessibility'), of('best-practices'), of('seo')]);
  });
  const failing = rows.flatMap(
    ({ page, result }) => result?.failing.map((line) => `- ${page}: ${line}`) ?? [],
  );
  return `# The dashboard

\`node bench/run.mjs dashboard\`, measured on ${at.toISOString().slice(0, 10)}: Lighthouse as on a desktop, signed in, with the demo of 12 monitors and 90 days.
Limits: performance ${LIMITS.performance}, accessibility ${LIMITS.accessibility}. Pages behind a sign-in are kept from search engines, which costs points of SEO.

| page | performance | accessibility | best practices | SEO |
|---|---|---|---|---|
${table.join('\n')}

${failing.join('\n')}
`;
}
