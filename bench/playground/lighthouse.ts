import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '@/bin/testing/find-browser.mjs';
import { childEnvironment } from '@/lib/env';
import { root } from './environment';

/** Scores of 0–100 by category, and audits that lower them. */
export type Scores = { scores: Record<string, number>; failing: string[] };

type Details = { items?: { node?: { snippet?: string } }[] };

type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; displayValue?: string; details?: Details }>;
};

const FLAGS = '--headless --no-sandbox --disable-quic --disable-background-networking';
/** Maximum number of elements per failed audit. */
const MAX_NODES = 3;
const MAX_BYTES = 64 * 1024 * 1024;

/** How to open a page: on a phone by default or on a desktop, optionally with a cookie. */
type Visit = { isDesktop?: boolean; cookie?: string };

/** Runs Lighthouse; null without a browser. */
export async function runLighthouse(
  url: string,
  { isDesktop = false, cookie }: Visit = {},
): Promise<Scores | null> {
  const browser = findBrowser(childEnvironment({}));
  if (browser === null) return null;
  const program = join(root, 'node_modules', 'lighthouse', 'cli', 'index.js');
  const words = [
    '--output=json',
    '--output-path=stdout',
    '--quiet',
    `--chrome-flags=${FLAGS}`,
    ...(isDesktop ? ['--preset=desktop'] : []),
    ...(cookie === undefined ? [] : ['--extra-headers', JSON.stringify({ Cookie: cookie })]),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, ...words], {
    env: childEnvironment({ CHROME_PATH: browser }),
    maxBuffer: MAX_BYTES,
    timeout: 120_000,
  });
  const { categories, audits } = JSON.parse(stdout) as Report;
  const scores: Record<string, number> = {};
  const failing: string[] = [];
  for (const [name, { score, auditRefs }] of Object.entries(categories)) {
    scores[name] = Math.round(100 * (score ?? 0));
    for (const { id, weight } of auditRefs) {
      const audit = audits[id];
      if (!audit || weight === 0 || audit.score === null || audit.score >= 1) continue;
      const value = audit.displayValue ? ` (${audit.displayValue})` : '';
      const nodes = (audit.details?.items ?? []).flatMap(({ node }) => node?.snippet ?? []);
      const shown = nodes.slice(0, MAX_NODES).map((snippet) => `\n  - \`${snippet}\``);
      failing.push(`${id}: ${audit.title}${value}, ${Math.round(100 * audit.score)}${shown.join('')}`);
    }
  }
  return { scores, failing };
}
