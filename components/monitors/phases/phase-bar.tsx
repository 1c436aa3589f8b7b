import { PHASES, type PhaseName, type Phases } from '@/lib/checks/result';
import { formatMs } from '../format-numbers';

/** The shade of the accent color for each phase. */
export const SHADES: Record<PhaseName, string> = {
  dns: 'bg-accent',
  connect: 'bg-accent/75',
  tls: 'bg-accent/55',
  firstByte: 'bg-accent/35',
  transfer: 'bg-accent/20',
};

/** The phases of one check as a bar and as numbers; nothing if none were recorded. */
export function PhaseBreakdown({ phases }: { phases: Phases }) {
  const recorded = phasesOf([phases]);
  if (recorded.length === 0) return null;
  return (
    <div className="flex max-w-xl flex-col gap-1.5">
      <PhaseBar phases={phases} longest={sumPhases(phases)} />
      <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted tabular-nums">
        {recorded.map(({ key, label }) => (
          <li key={key} className="flex items-center gap-1">
            <span className={`size-2 rounded-xs ${SHADES[key]}`} aria-hidden="true" />
            {label} {formatMs(phases[key])}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Phases as one bar; `longest` milliseconds fill the width. Hidden from screen readers, since the numbers are shown too. */
export function PhaseBar({ phases, longest }: { phases: Phases; longest: number }) {
  return (
    <div className="flex h-2 w-full gap-px overflow-hidden rounded-sm bg-sunken" aria-hidden="true">
      {PHASES.map(({ key }) => {
        const ms = phases[key] ?? 0;
        return ms > 0 ? (
          <span
            key={key}
            className={SHADES[key]}
            style={{ width: `${(ms / Math.max(1, longest)) * 100}%` }}
          />
        ) : null;
      })}
    </div>
  );
}

/** The phases that occur in any of these; a ping has none, a TCP check has no TLS. */
export function phasesOf(measured: readonly Phases[]) {
  return PHASES.filter(({ key }) => measured.some((phases) => phases[key] !== null));
}

export function sumPhases(phases: Phases): number {
  return PHASES.reduce((sum, { key }) => sum + (phases[key] ?? 0), 0);
}
