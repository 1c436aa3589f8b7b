import { PHASES, type PhaseName, type Phases } from '@/lib/checks/result';

/** The shade of the accent color for each phase. */
export const SHADES: Record<PhaseName, string> = {
  dns: 'bg-accent',
  connect: 'bg-accent/75',
  tls: 'bg-accent/55',
  firstByte: 'bg-accent/35',
  transfer: 'bg-accent/20',
};

/** The phases that occur in any of these; a ping has none, a TCP check has no TLS. */
export function phasesOf(measured: readonly Phases[]) {
  return PHASES.filter(({ key }) => measured.some((phases) => phases[key] !== null));
}

export function sumPhases(phases: Phases): number {
  return PHASES.reduce((sum, { key }) => sum + (phases[key] ?? 0), 0);
}
