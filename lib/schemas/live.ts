/**
 * What can be told of as it happens: `changes` for what people or the state machine changed and `deliveries` for tries that
 * are over, to be shown at once; `results` for checks that came as expected, which can wait a little.
 */
export const LIVE_KINDS = ['changes', 'deliveries', 'results'] as const;

export type LiveKind = (typeof LIVE_KINDS)[number];

/** Reads the kinds that a hint names, separated by commas; unknown ones, of another version, are left out. */
export function parseLiveKinds(text: string): LiveKind[] {
  const named = text.split(',');
  return LIVE_KINDS.filter((kind) => named.includes(kind));
}
