/**
 * Kinds of live updates: `changes` by people or the state machine and finished delivery attempts (`deliveries`) are shown
 * immediately; routine check `results` and the reports of `probes` can wait.
 */
export const LIVE_KINDS = ['changes', 'deliveries', 'results', 'probes'] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** Whether it comes all the time, and can wait and be combined with others. */
export function isRoutine(kind: LiveKind): boolean {
  return kind === 'results' || kind === 'probes';
}

/** Parses a comma-separated list of kinds; unknown kinds, sent by another version, are ignored. */
export function parseLiveKinds(text: string): LiveKind[] {
  const named = text.split(',');
  return LIVE_KINDS.filter((kind) => named.includes(kind));
}
