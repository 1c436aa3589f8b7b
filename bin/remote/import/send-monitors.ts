import type { Problem } from '@/lib/core/errors';
import { groupBy, inBatches } from '@/lib/core/groups';
import type { ImportSource, MonitorBody } from '@/lib/importing';
import { FIRST_SOURCE, type ImportResult } from '@/lib/schemas/monitor/import';
import type { Api } from '../api';

/** Of one request, which takes a slow service seconds. */
const MAX_MONITORS = 100;

export type SentImport = {
  format: ImportSource;
  source: string | null;
  dryRun: boolean;
  monitors: readonly MonitorBody[];
};

/** What the import of a monitor did or would do, or why it was rejected. */
export type Result = ImportResult | { status: number; error: Problem & { code: string } };
type Response = { source: { name: string; isNew: boolean }; results: Result[] };

/** The result of each monitor, by its ref in the file. */
export type ImportAnswer = { source: string; results: ReadonlyMap<string, Result> };

/**
 * Imports monitors; a second run repairs the first. A dry run only returns what would happen. Calls `onProgress` with the
 * number done. One that is rejected does not keep others from being written.
 */
export async function sendMonitors(
  api: Api,
  { monitors, ...request }: SentImport,
  onProgress: (done: number) => void,
): Promise<ImportAnswer> {
  const results = new Map<string, Result>();
  let name = request.source ?? FIRST_SOURCE;
  // Those with the same name are distinguished together.
  const sent = [...groupBy(monitors, (monitor) => monitor.name).values()].flat();
  for (const batch of inBatches(sent, MAX_MONITORS, (monitor) => monitor)) {
    const response = await api.call<Response>('POST', '/monitors/import', { ...request, monitors: batch });
    batch.forEach(({ ref }, index) => {
      const result = response.results[index];
      if (result === undefined) throw new Error('The response has fewer results than monitors were sent.');
      results.set(ref, result);
    });
    name = response.source.name;
    onProgress(results.size);
  }
  return { source: name, results };
}
