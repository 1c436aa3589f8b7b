import { type Command, Option } from 'commander';
import { withoutSecrets } from '@/lib/core/addresses';
import { formatPercent } from '@/lib/core/formats/percent';
import { formatTiming } from '@/lib/core/time/duration';
import { MONITOR_STATUSES, type Monitor } from '@/lib/schemas/monitor';
import type { ManualCheck } from '@/lib/schemas/monitor/result';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { formatCheck } from '../output/format-check';
import { printJson } from '../output/print';
import { cleanText, formatTable } from '../output/table';
import { findMonitor, findMonitors } from './find-monitors';

type Output = ConnectionOptions & { json?: boolean };
type Filters = Output & { status?: string; tag?: string; search?: string };

/** `pharos monitors list`, `show`, `check`, `pause` and `resume`. */
export function registerMonitors(program: Command): void {
  const monitors = program.command('monitors').description('List, show, check, pause and resume monitors.');

  withConnection(monitors.command('list'))
    .description('List monitors by name.')
    .addOption(new Option('--status <status>', 'only those with it').choices(MONITOR_STATUSES))
    .option('--tag <tag>', 'only those with the tag')
    .option('--search <text>', 'only those with the text in their name or URL')
    .option('--json', 'print an array of monitors as the API returns them')
    .action(printMonitors);

  withConnection(monitors.command('show'))
    .description('Show a monitor.')
    .argument('<monitor>', 'mon_… or its ref')
    .option('--json', 'print the monitor as the API returns it')
    .action(async (name: string, options: Output) => {
      const monitor = await findMonitor(await connect(options), name);
      if (options.json) printJson(monitor);
      else process.stdout.write(describeMonitor(monitor));
    });

  withConnection(monitors.command('check'))
    .description('Check a monitor now from each of its regions. Exits with 1 unless all checks succeed.')
    .argument('<monitor>', 'mon_… or its ref')
    .option('--json', 'print the results as the API returns them')
    .action(checkMonitor);

  for (const [verb, enabled] of [
    ['pause', false],
    ['resume', true],
  ] as const) {
    withConnection(monitors.command(verb))
      .description(enabled ? 'Resume paused monitors.' : 'Pause monitors: no checks, no notifications.')
      .argument('<monitors...>', 'mon_… or their refs')
      .option('--json', 'print an array of the monitors as the API returns them')
      .action((names: string[], options: Output) => switchMonitors(names, enabled, options));
  }
}

async function printMonitors({ status, tag, search, ...options }: Filters): Promise<void> {
  const api = await connect(options);
  const found: Monitor[] = [];
  const given = Object.entries({ sort: 'name', status, tag, q: search }).filter(hasValue);
  for await (const monitor of api.list<Monitor>(`/monitors?${new URLSearchParams(given)}`)) {
    found.push(monitor);
  }
  if (options.json) return printJson(found);
  const rows = found.map((monitor) => [
    monitor.name,
    statusOf(monitor),
    monitor.type,
    withoutSecrets(monitor.url),
    monitor.id,
  ]);
  process.stdout.write(formatTable(['NAME', 'STATUS', 'TYPE', 'TARGET', 'ID'], rows) || 'No monitors.\n');
}

async function checkMonitor(name: string, options: Output): Promise<void> {
  const api = await connect(options);
  const { id } = await findMonitor(api, name);
  const check = await api.call<ManualCheck>('POST', `/monitors/${id}/check`);
  if (options.json) printJson(check);
  else process.stdout.write(describeResults(check));
  const isGood = check.missing.length === 0 && check.results.every(({ outcome }) => outcome === 'ok');
  if (!isGood) process.exitCode = 1;
}

async function switchMonitors(names: string[], enabled: boolean, options: Output): Promise<void> {
  const api = await connect(options);
  const changed: Monitor[] = [];
  // Nothing is changed if one of them does not exist.
  for (const { id } of await findMonitors(api, names)) {
    const monitor = await api.call<Monitor>('PUT', `/monitors/${id}`, { enabled });
    changed.push(monitor);
    if (!options.json) process.stdout.write(`${cleanText(monitor.name)}: ${statusOf(monitor)}\n`);
  }
  if (options.json) printJson(changed);
}

function describeResults({ results, missing }: ManualCheck): string {
  const silent = missing.map((region) => `${region}: no worker reported in time`);
  return [...results.map(formatCheck), ...silent].map((line) => `${line}\n`).join('');
}

function hasValue(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}

function statusOf({ enabled, status }: Monitor): string {
  return enabled ? status : 'paused';
}

function describeMonitor(monitor: Monitor): string {
  const fields = {
    Name: monitor.name,
    ID: monitor.id,
    Ref: monitor.ref ?? '–',
    Status: statusOf(monitor),
    Target: `${monitor.type} ${withoutSecrets(monitor.url)}`,
    Interval: formatTiming(monitor.interval * 1000),
    Regions: monitor.regions.join(', '),
    Tags: monitor.tags.join(', ') || '–',
    // The API returns 100 before the first check.
    Uptime: formatPercent(monitor.lastCheckedAt === null ? null : monitor.uptimePercentage),
    'Last check': monitor.lastCheckedAt ?? 'never',
    'Response time': monitor.lastResponseTime === null ? '–' : formatTiming(monitor.lastResponseTime),
  };
  return Object.entries(fields)
    .map(([label, value]) => `${label.padEnd(15)}${cleanText(value)}\n`)
    .join('');
}
