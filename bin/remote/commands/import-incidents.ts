import type { Command } from 'commander';
import { z } from 'zod';
import { StartupError } from '@/lib/core/errors';
import { inBatches } from '@/lib/core/groups';
import { countOf } from '@/lib/importing/plan/sentences';
import { type IncidentImport, MAX_IMPORTED_INCIDENTS } from '@/lib/schemas/incidents/incident-import';
import type { Api } from '../api';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { printJson, withProgress } from '../output/print';
import { cleanText } from '../output/table';
import { readInput } from '../read-input';

const MAX_FILE_BYTES = 64 * 1024 * 1024;

type ImportOptions = ConnectionOptions & { json?: boolean };

/** The service validates each incident: here, only what is sent to it. */
const listSchema = z.object({ source: z.string(), incidents: z.array(z.unknown()) });
type IncidentFile = z.output<typeof listSchema>;

/** `pharos incidents import`. */
export function registerIncidentImport(incidents: Command): void {
  withConnection(incidents.command('import'))
    .description('Import past incidents into the history of a status page, without notifying anybody.')
    .argument('<slug>', 'the status page')
    .argument('<file>', 'what "convert statuspage --incidents" printed, or - for standard input')
    .option('--json', 'print what was imported and refused as JSON')
    .action(async (slug: string, name: string, _: unknown, command: Command) => {
      // Options that `incidents` has too are read as its own.
      const { json, ...options } = command.optsWithGlobals<ImportOptions>();
      const file = readList(await readInput(name, MAX_FILE_BYTES));
      const api = await connect(options);
      const outcome = await withProgress(file.incidents.length, (onDone) =>
        sendIncidents(api, { slug, file }, onDone),
      );
      if (json) printJson(outcome);
      else process.stdout.write(describeImport(outcome));
      if (outcome.invalid > 0) process.exitCode = 1;
    });
}

function readList(bytes: Uint8Array): IncidentFile {
  try {
    return listSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    throw new StartupError(
      'the file is no list of incidents; create it with "convert statuspage FILE --incidents"',
    );
  }
}

/** Imports all, in requests that fit their limits. What was sent before an interruption counts as existing in the next run. */
async function sendIncidents(
  api: Api,
  { slug, file: { source, incidents } }: { slug: string; file: IncidentFile },
  onDone: (done: number) => void,
): Promise<IncidentImport> {
  const outcome: IncidentImport = { created: 0, existing: 0, invalid: 0, refused: [] };
  const path = `/status-pages/${encodeURIComponent(slug)}/incidents/import`;
  let sent = 0;
  for (const batch of inBatches(incidents, MAX_IMPORTED_INCIDENTS, (incident) => incident)) {
    const part = await api.call<IncidentImport>('POST', path, { source, incidents: batch });
    outcome.created += part.created;
    outcome.existing += part.existing;
    outcome.invalid += part.invalid;
    for (const refused of part.refused) outcome.refused.push({ ...refused, index: sent + refused.index });
    sent += batch.length;
    onDone(sent);
  }
  return outcome;
}

function describeImport({ created, existing, invalid, refused }: IncidentImport): string {
  const lines = [
    `${countOf(created, 'incident')} imported, ${existing.toLocaleString('en')} imported before.`,
    ...refused.map(({ ref, message }) => `${cleanText(ref)} ${cleanText(message)}`),
    ...(invalid > refused.length ? [`${(invalid - refused.length).toLocaleString('en')} more`] : []),
  ];
  if (invalid > 0) lines.splice(1, 0, `${countOf(invalid, 'incident')} refused:`);
  return lines.map((line) => `${line}\n`).join('');
}
