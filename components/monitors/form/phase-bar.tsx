import { PHASES, type PhaseName, type Phases } from '@/lib/checks/result';

const SHADES: Record<PhaseName, string> = {
  dns: 'bg-accent/30',
  connect: 'bg-accent/50',
  tls: 'bg-accent/70',
  firstByte: 'bg-accent',
  transfer: 'bg-muted',
};

/** What each phase of a check took: as a bar, and in numbers that stand for themselves. */
export function PhaseBar({ phases }: { phases: Phases }) {
  const taken = PHASES.flatMap(({ key, label }) => {
    const ms = phases[key];
    return ms === null ? [] : [{ key, label, ms, shade: SHADES[key] }];
  });
  if (taken.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex h-2 gap-px overflow-hidden rounded-sm bg-sunken" aria-hidden="true">
        {taken.map(({ key, ms, shade }) => (
          <span key={key} className={shade} style={{ flexGrow: Math.max(ms, 0.5), flexBasis: 2 }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted tabular-nums">
        {taken.map(({ key, label, ms, shade }) => (
          <li key={key} className="flex items-center gap-1">
            <span className={`size-2 rounded-xs ${shade}`} aria-hidden="true" />
            {label} {ms} ms
          </li>
        ))}
      </ul>
    </div>
  );
}
