import { type Command, InvalidArgumentError } from 'commander';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { printJson } from '../output/print';
import { formatTable } from '../output/table';
import { registerIncidentImport } from './import-incidents';

type IncidentOptions = ConnectionOptions & { open?: boolean; limit: number; json?: boolean };

/** `pharos incidents`. */
export function registerIncidents(program: Command): void {
  const incidents = withConnection(program.command('incidents'));
  registerIncidentImport(incidents);
  incidents
    .description('List incidents, newest first.')
    .option('--open', 'only those that are not resolved')
    .option('--limit <number>', 'at most so many, 1–1000', parseLimit, 50)
    .option('--json', 'print an array of incidents as the API returns them')
    .action(async ({ open, limit, json, ...options }: IncidentOptions) => {
      const api = await connect(options);
      const incidents: Incident[] = [];
      for await (const incident of api.list<Incident>(`/incidents${open ? '?open=true' : ''}`)) {
        if (incidents.push(incident) >= limit) break;
      }
      if (json) return printJson(incidents);
      const rows = incidents.map(({ title, status, severity, startedAt, resolvedAt, id }) => [
        startedAt,
        resolvedAt ?? 'open',
        status,
        severity,
        title,
        id,
      ]);
      const heading = ['STARTED', 'RESOLVED', 'STATUS', 'SEVERITY', 'TITLE', 'ID'];
      process.stdout.write(formatTable(heading, rows) || 'No incidents.\n');
    });
}

/** A number of items from the command line. Throws an InvalidArgumentError if it is not 1–1000. */
export function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1000) throw new InvalidArgumentError('Use a whole number from 1 to 1000.');
  return limit;
}
