import type { DryRunResult } from '@/lib/schemas/dry-run';

const PHASES = [
  { name: 'dns', label: 'DNS', shade: 'bg-accent/30' },
  { name: 'connect', label: 'Connect', shade: 'bg-accent/50' },
  { name: 'tls', label: 'TLS', shade: 'bg-accent/70' },
  { name: 'firstByte', label: 'First byte', shade: 'bg-accent' },
  { name: 'transfer', label: 'Download', shade: 'bg-muted' },
] as const;

/** What each phase of a check took: as a bar, and in numbers that stand for themselves. */
export function PhaseBar({ phases }: Pick<DryRunResult, 'phases'>) {
  const taken = PHASES.flatMap((phase) => {
    const ms = phases[phase.name];
    return ms === null ? [] : [{ ...phase, ms }];
  });
  if (taken.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex h-2 gap-px overflow-hidden rounded-sm bg-sunken" aria-hidden="true">
        {taken.map(({ name, ms, shade }) => (
          <span key={name} className={shade} style={{ flexGrow: Math.max(ms, 0.5), flexBasis: 2 }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted tabular-nums">
        {taken.map(({ name, label, ms, shade }) => (
          <li key={name} className="flex items-center gap-1">
            <span className={`size-2 rounded-xs ${shade}`} aria-hidden="true" />
            {label} {ms} ms
          </li>
        ))}
      </ul>
    </div>
  );
}
