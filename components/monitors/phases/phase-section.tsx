import type { PhaseSummary } from '@/lib/domain/monitors/read-results';
import type { CheckResult } from '@/lib/schemas/result';
import type { UptimeWindow } from '@/lib/schemas/stats';
import { PhaseTable } from './phase-table';

type Props = { window: UptimeWindow; summaries: PhaseSummary[]; latest: CheckResult[] };

/** Raw results, which alone have phases, are kept for less time than the longest chart covers. */
const SPANS: Record<UptimeWindow, string> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '90d': 'the retention period of individual results',
};

/** Where checks spend their time; nothing before the first successful check. */
export function PhaseSection({ window, summaries, latest }: Props) {
  if (summaries.length === 0) return null;
  return (
    <section aria-labelledby="phases-title" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="phases-title" className="text-sm font-semibold">
          Phases
        </h2>
        <p className="text-xs text-muted">
          Medians of successful checks over {SPANS[window]}, with the latest check below.
        </p>
      </div>
      <PhaseTable summaries={summaries} latest={latest} />
    </section>
  );
}
