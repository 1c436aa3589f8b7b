// `npm run audit`: known vulnerabilities of production dependencies. Exits 1 if bin/audit/exceptions.json does not explain
// all of them. Without a registry that supports audits, it reports that nothing was checked and does not fail.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeReport } from './audit/judge-report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const exceptions = JSON.parse(readFileSync(new URL('audit/exceptions.json', import.meta.url), 'utf8'));

const report = fetchReport();
if ('vulnerabilities' in report) {
  const lines = judgeReport(report, exceptions, new Date().toISOString().slice(0, 10));
  for (const line of lines) console.error(line);
  if (lines.length === 0) console.log('No known vulnerabilities, except those in bin/audit/exceptions.json.');
  process.exitCode = lines.length === 0 ? 0 : 1;
} else {
  console.error(`Nothing was checked: ${report.message ?? 'npm audit returned no report'}`);
}

function fetchReport() {
  // By default, npm would retry an unresponsive registry for minutes.
  const words = ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000'];
  const { stdout } = spawnSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}
