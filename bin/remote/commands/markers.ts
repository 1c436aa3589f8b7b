import type { Command } from 'commander';
import type { Marker } from '@/lib/schemas/monitor/marker';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { printJson } from '../output/print';
import { formatTable } from '../output/table';
import { findMonitor, findMonitors } from './find-monitors';
import { parseLimit } from './incidents';

type ListOptions = ConnectionOptions & { monitor?: string; limit: number; json?: boolean };
type MarkOptions = ConnectionOptions & {
  description?: string;
  link?: string;
  at?: string;
  tag: string[];
  monitor: string[];
  json?: boolean;
};

/** `pharos markers`. */
export function registerMarkers(program: Command): void {
  withConnection(program.command('markers'))
    .description('List deploy markers, newest first.')
    .option('--monitor <monitor>', 'only those that concern this one: mon_… or its ref')
    .option('--limit <number>', 'at most so many, 1–1000', parseLimit, 50)
    .option('--json', 'print an array of markers as the API returns them')
    .action(async ({ monitor, limit, json, ...options }: ListOptions) => {
      const api = await connect(options);
      const markers: Marker[] = [];
      const query = monitor === undefined ? '' : `?monitor=${(await findMonitor(api, monitor)).id}`;
      for await (const marker of api.list<Marker>(`/events${query}`)) {
        if (markers.push(marker) >= limit) break;
      }
      if (json) return printJson(markers);
      const rows = markers.map(({ occurredAt, title, tags, id }) => [occurredAt, title, tags.join(', '), id]);
      process.stdout.write(formatTable(['TIME', 'TITLE', 'TAGS', 'ID'], rows) || 'No markers.\n');
    });
}

/** `pharos mark TITLE`. */
export function registerMark(program: Command): void {
  withConnection(program.command('mark'))
    .description('Mark a deploy or another change, which charts and outages then show.')
    .argument('<title>', 'what changed')
    .option('--description <text>', 'details')
    .option('--link <url>', 'where to read more')
    .option('--at <time>', 'when it happened, in ISO 8601 (default: now)')
    .option('--tag <tag>', 'concerns monitors with this tag; can be repeated', collect, [])
    .option('--monitor <monitor>', 'concerns this one: mon_… or its ref; can be repeated', collect, [])
    .option('--json', 'print the marker as the API returns it')
    .action(async (title: string, options: MarkOptions) => {
      const {
        description,
        link: url,
        at: occurredAt,
        tag: tags,
        monitor: names,
        json,
        ...connection
      } = options;
      const api = await connect(connection);
      const monitors = (await findMonitors(api, names)).map(({ id }) => id);
      const body = { title, description, url, occurredAt, tags, monitors };
      const marker = await api.call<Marker>('POST', '/events', body);
      if (json) return printJson(marker);
      process.stdout.write(`Marked ${marker.id} at ${marker.occurredAt}.\n`);
    });
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
