import { CodeBlock } from '@/components/ui/code-block';
import type { CheckResult } from '@/lib/schemas/result';
import { formatMs } from '../chart/chart-texts';
import { PhaseBar } from '../phases/phase-bar';
import { phasesOf, SHADES, sumPhases } from '../phases/phases';

/** All that is kept of one check: what was wrong in words, its phases, and the result as the API answers it. */
export function CheckDetail({ check }: { check: CheckResult }) {
  const phases = phasesOf([check.phases]);
  return (
    <div className="flex flex-col gap-3">
      {check.errorMessage ? <p className="text-bad wrap-anywhere">{check.errorMessage}</p> : null}
      {phases.length > 0 ? (
        <div className="flex max-w-xl flex-col gap-1.5">
          <PhaseBar phases={check.phases} longest={sumPhases(check.phases)} />
          <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
            {phases.map(({ key, label }) => (
              <div key={key} className="flex items-center gap-1.5">
                <span className={`size-2 rounded-xs ${SHADES[key]}`} aria-hidden="true" />
                <dt className="text-muted">{label}</dt>
                <dd className="font-medium tabular-nums">{formatMs(check.phases[key])}</dd>
              </div>
            ))}
          </dl>
        </div>
      ) : (
        <p className="text-muted">No phase of this check was reached.</p>
      )}
      <CodeBlock text={JSON.stringify(check, null, 2)} label="Copy the raw result" />
    </div>
  );
}
