import type { PhaseSummary } from '@/lib/domain/monitors/read-results';
import type { CheckResult } from '@/lib/schemas/result';
import type { UptimeWindow } from '@/lib/schemas/stats';
import { PhaseTable } from './phase-table';

type Props = { window: UptimeWindow; summaries: PhaseSummary[]; latest: CheckResult[] };

/** How far back is told; raw results, which alone know phases, are kept for a shorter time than the longest chart. */
const SPANS: Record<UptimeWindow, string> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '90d': 'the time for which single results are kept',
};

/** Where the time of checks goes; nothing before the first good one. */
export function PhaseSection({ window, summaries, latest }: Props) {
  if (summaries.length === 0) return null;
  return (
    <section aria-labelledby="phases-title" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="phases-title" className="text-sm font-semibold">
          Phases
        </h2>
        <p className="text-xs text-muted">
          Medians of good checks spread over {SPANS[window]}; the latest check below them.
        </p>
      </div>
      <PhaseTable summaries={summaries} latest={latest} />
    </section>
  );
}
