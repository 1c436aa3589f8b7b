import type { ImportResult } from '@/lib/schemas/monitor/import';

/** What an import of a monitor did, or in a dry run would do. */
export type ImportOutcome =
  | (Pick<ImportResult, 'action' | 'changes' | 'kept' | 'dropped' | 'replaces'> & {
      /** Null in a dry run. */
      id: string | null;
      /** The URL that the job of a heartbeat must call; null for other types. */
      heartbeatUrl: string | null;
    })
  | { action: 'rejected'; message: string };

/** The outcomes of one request, and the source that its monitors are of. */
export type ImportedBatch = { source: string; outcomes: ImportOutcome[] };

/** The monitors of one request: their results arrive together. */
export const BATCH_SIZE = 50;
