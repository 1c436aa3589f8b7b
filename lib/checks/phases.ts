/** The phases that a check can have, in their order, as screens name them. */
export const PHASES = [
  { key: 'dns', label: 'DNS' },
  { key: 'connect', label: 'Connect' },
  { key: 'tls', label: 'TLS' },
  { key: 'firstByte', label: 'First byte' },
  { key: 'transfer', label: 'Download' },
] as const;

export type PhaseName = (typeof PHASES)[number]['key'];

/** Milliseconds that each phase of a check took; null where the phase did not happen or was not reached. */
export type Phases = Record<PhaseName, number | null>;

export const NO_PHASES: Phases = { dns: null, connect: null, tls: null, firstByte: null, transfer: null };
