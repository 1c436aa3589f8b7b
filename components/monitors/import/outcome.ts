/** What became of a monitor that was imported. */
export type ImportOutcome =
  | {
      outcome: 'created' | 'updated' | 'unchanged';
      id: string;
      /** The URL that the job of a heartbeat must call; null for other types. */
      heartbeatUrl: string | null;
    }
  | { outcome: 'rejected'; message: string };

/** The monitors of one request: their results arrive together. */
export const BATCH_SIZE = 50;
