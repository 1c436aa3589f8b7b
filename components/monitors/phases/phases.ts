import type { CheckResult } from '@/lib/schemas/result';

export type Phases = CheckResult['phases'];

/** The phases of a check in their order; each has a shade of the accent colour in bars. */
export const PHASES = [
  { key: 'dns', label: 'DNS', shade: 'bg-accent' },
  { key: 'connect', label: 'Connect', shade: 'bg-accent/75' },
  { key: 'tls', label: 'TLS', shade: 'bg-accent/55' },
  { key: 'firstByte', label: 'First byte', shade: 'bg-accent/35' },
  { key: 'transfer', label: 'Download', shade: 'bg-accent/20' },
] as const satisfies { key: keyof Phases; label: string; shade: string }[];

/** The phases that happened in any of these; a ping has none, a TCP check no TLS. */
export function phasesOf(measured: readonly Phases[]) {
  return PHASES.filter(({ key }) => measured.some((phases) => phases[key] !== null));
}

/** All phases together. */
export function sumPhases(phases: Phases): number {
  return PHASES.reduce((sum, { key }) => sum + (phases[key] ?? 0), 0);
}
