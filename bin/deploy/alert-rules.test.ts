import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const RULES = fileURLToPath(new URL('../../docs/deploy/prometheus-alerts.yml', import.meta.url));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

const WEB = 'job="pharos",instance="web:3000"';
const WORKER = 'job="pharos",instance="worker:3010"';
const OTHER = 'job="pharos",instance="other:3010"';

/** Values of one series, a minute apart, in the notation of promtool: from the tenth minute on, it is as `later` says. */
type Series = Record<string, string>;
const ALWAYS = '1x60';
/** What Prometheus writes once the target of a series does not respond. */
const ENDS = '1x10 stale';
const up = (process: string, values: string): Series => ({ [`up{${process}}`]: values });

const ofWeb = (values: string): Series => ({
  [`pharos_build_info{${WEB}}`]: values,
  [`pharos_database_up{${WEB}}`]: values,
  [`pharos_monitors{${WEB},status="operational"}`]: values,
  [`pharos_health{${WEB},part="database"}`]: values.replace(/^1/, '0'),
  [`pharos_health{${WEB},part="region:eu-west"}`]: values.replace(/^1/, '0'),
});
const ofWorker = (process: string, region: string, values: string): Series => ({
  [`pharos_build_info{${process}}`]: values,
  [`pharos_check_slots_free{${process}}`]: values,
  [`pharos_checks_total{${process},region="${region}"}`]: values.replace(/^1/, '1+60'),
  [`pharos_recording_oldest_seconds{${process}}`]: values.replace(/^1/, '0'),
});

const HEALTHY: Series = {
  ...up(WEB, ALWAYS),
  ...up(WORKER, ALWAYS),
  ...up(OTHER, ALWAYS),
  ...ofWeb(ALWAYS),
  ...ofWorker(WORKER, 'us-east', ALWAYS),
  ...ofWorker(OTHER, 'eu-west', ALWAYS),
};
const WEB_DEAD: Series = { ...up(WEB, '1x10 0x50'), ...ofWeb(ENDS) };
const WORKERS_DEAD: Series = {
  ...up(WORKER, '1x10 0x50'),
  ...up(OTHER, '1x10 0x50'),
  ...ofWorker(WORKER, 'us-east', ENDS),
  ...ofWorker(OTHER, 'eu-west', ENDS),
};
const REGION_DEAD: Series = {
  ...up(OTHER, '1x10 0x50'),
  ...ofWorker(OTHER, 'eu-west', ENDS),
  [`pharos_health{${WEB},part="region:eu-west"}`]: '0x10 2x50',
};
/** A web process without its database still serves its metrics: whether it responds, and nothing of what is in it. */
const DATABASE_DEAD: Series = {
  [`pharos_database_up{${WEB}}`]: '1x10 0x50',
  [`pharos_monitors{${WEB},status="operational"}`]: ENDS,
  [`pharos_health{${WEB},part="database"}`]: '0x10 2x50',
  [`pharos_health{${WEB},part="region:eu-west"}`]: '0x10 stale',
};

/** A worker that runs, but does nothing: its counters begin with the first check and the first email. */
const WORKERS_IDLE: Series = {
  [`pharos_checks_total{${WORKER},region="us-east"}`]: '_x60',
  [`pharos_checks_total{${OTHER},region="eu-west"}`]: '_x60',
};

type Alert = { alertname: string; part?: string; instance?: string };
const about = (alertname: string, labels: Omit<Alert, 'alertname'> = {}): Alert => ({ alertname, ...labels });
const processDown = (instance: string) => about('PharosProcessDown', { instance });

/** Asks promtool whether exactly these alerts fire in the 45th minute, 35 minutes after the series changed. Returns what it prints. */
function judge(series: Series, alerts: Alert[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'pharos-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'test.yml');
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'group by (alertname, part, instance) (ALERTS{alertstate="firing"})',
        eval_time: '45m',
        exp_samples: alerts.map((labels) => ({ labels: formatLabels(labels), value: 1 })),
      },
    ],
  };
  // Every JSON document is a YAML document.
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '30s', tests: [test] }));
  return spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' }).stdout;
}

function formatLabels(labels: Alert): string {
  return `{${Object.entries(labels).map(([name, value]) => `${name}="${value}"`)}}`;
}

describe.skipIf(!hasPromtool)('alerts fire when (skipped where promtool is not installed)', () => {
  it.each<[string, Series, Alert[]]>([
    ['nothing is wrong: none', {}, []],
    [
      'everything is dead',
      { ...WEB_DEAD, ...WORKERS_DEAD },
      [about('PharosDown'), processDown('web:3000'), processDown('worker:3010'), processDown('other:3010')],
    ],
    ['web is dead', WEB_DEAD, [about('PharosWebDown'), processDown('web:3000')]],
    [
      'all workers are dead',
      WORKERS_DEAD,
      [
        about('PharosWorkersDown'),
        about('PharosNoChecks'),
        processDown('worker:3010'),
        processDown('other:3010'),
      ],
    ],
    [
      'the database is dead',
      DATABASE_DEAD,
      [about('PharosDatabaseDown'), about('PharosPartDown', { part: 'database' })],
    ],
    [
      'the only worker of a region is dead',
      REGION_DEAD,
      [about('PharosPartDown', { part: 'region:eu-west' }), processDown('other:3010')],
    ],
    ['workers have not checked anything since they were started', WORKERS_IDLE, [about('PharosNoChecks')]],
    [
      'no email has ever been accepted',
      { [`pharos_mail_attempts_total{${WORKER},outcome="retrying"}`]: '0+1x60' },
      [about('PharosMailFailing')],
    ],
  ])('%s', (_, changed, alerts) => {
    expect(judge({ ...HEALTHY, ...changed }, alerts)).toContain('SUCCESS');
  });

  it('Prometheus no longer knows any process: PharosDown', () => {
    const gone = Object.keys(HEALTHY).map((series) => [series, ENDS]);
    expect(judge(Object.fromEntries(gone), [about('PharosDown')])).toContain('SUCCESS');
  });
});
