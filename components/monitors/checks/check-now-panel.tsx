import { LoaderCircle } from 'lucide-react';
import { Banner } from '@/components/ui/banner';
import { ButtonPanel } from '@/components/ui/menu/button-panel';
import { RunList } from './run-list';
import type { Run } from './runs';

/** A requested check: its runs, empty until it is accepted, or why it was rejected. */
export type RequestedCheck = { runs: readonly Run[]; problem: string | null };

type Props = { buttonId: string; check: RequestedCheck; onClose: () => void };

/** The results of a requested check below its button. */
export function CheckNowPanel({ check: { runs, problem }, ...panel }: Props) {
  return (
    <ButtonPanel {...panel} label="Check now" align="end" className="w-96 bg-canvas">
      <div role="status" aria-label="Results of the check">
        {problem !== null ? (
          <Banner tone="note">{problem}</Banner>
        ) : runs.length > 0 ? (
          <RunList runs={runs} />
        ) : (
          <p className="flex items-center gap-1.5 text-muted">
            <LoaderCircle className="size-4 animate-spin" />
            Starting…
          </p>
        )}
      </div>
      <p className="text-xs text-muted">
        Listed under Latest checks. Does not count toward status, uptime or response times.
      </p>
    </ButtonPanel>
  );
}
