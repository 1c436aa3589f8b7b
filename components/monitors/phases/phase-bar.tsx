import { PHASES, type Phases } from '@/lib/checks/result';
import { SHADES } from './phases';

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
