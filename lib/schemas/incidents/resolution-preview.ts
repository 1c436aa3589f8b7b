/** What resolving an open incident now would do. */
export type ResolutionPreview = {
  /** The affected monitors that are not operational yet. */
  failing: { id: string; name: string; state: 'down' | 'degraded' }[];
  /** What resolves the incident if people do not: its monitor, or a quiet time; null: nothing. */
  end: { by: 'monitor'; name: string } | { by: 'quiet'; minutes: number } | null;
  /** Whether it can be resolved once its monitors are up: people opened it, and all of them are checked. */
  canWait: boolean;
  /** The text of the update, for status pages and their subscribers. */
  message: string;
  /** The title of the message to endpoints. */
  headline: string;
  /** The names of the endpoints that would be notified, oldest first. */
  endpoints: string[];
};

/** How an incident is resolved once its monitors are up: after the shortest quiet time. */
export const WHEN_UP = { status: 'monitoring', resolveAfterMinutes: 1 } as const;
