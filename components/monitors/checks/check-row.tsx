import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { Moment } from '@/components/ui/moment';
import type { CheckResult } from '@/lib/schemas/result';
import { formatMs } from '../chart/chart-texts';
import { CheckDetail } from './check-detail';
import { OUTCOME_LOOKS, outcomeOf } from './outcomes';

const CELL = 'px-3 py-2 max-sm:p-0';
const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-sm:grid max-sm:grid-cols-[1fr_auto_auto] max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3 max-sm:py-2';

type Props = {
  check: CheckResult;
  degradedThreshold: number;
  now: string;
  isOpen: boolean;
  toggle: () => void;
};

/** A check on one line, and under it, once opened, the whole of it. */
export function CheckRow({ check, degradedThreshold, now, isOpen, toggle }: Props) {
  const detail = useId();
  const { word, Icon, colour } = OUTCOME_LOOKS[outcomeOf(check, degradedThreshold)];
  return (
    <>
      <tr className={ROW}>
        <td className={`${CELL} whitespace-nowrap`}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detail : undefined}
            onClick={toggle}
            className="inline-flex min-h-6 items-center gap-1.5 align-middle outline-offset-0 after:absolute after:inset-0"
          >
            <ChevronRight
              className={`size-4 shrink-0 text-muted transition-transform ${isOpen ? 'rotate-90' : ''}`}
              aria-hidden="true"
            />
            <Icon className={`size-4 shrink-0 ${colour}`} aria-hidden="true" />
            <span className={colour}>{word}</span>
          </button>
        </td>
        <td className={`${CELL} whitespace-nowrap text-muted tabular-nums`}>
          <Moment at={check.checkedAt} now={now} />
        </td>
        <td className={`${CELL} font-mono text-xs whitespace-nowrap max-sm:order-4 max-sm:text-muted`}>
          {check.region ?? '–'}
        </td>
        <td className={`${CELL} text-right whitespace-nowrap tabular-nums`}>
          {formatMs(check.responseTime)}
        </td>
        <td className={`${CELL} text-right font-mono text-xs max-sm:order-5 max-sm:col-span-2`}>
          {check.statusCode ?? <span className="max-sm:hidden">–</span>}
        </td>
        <td className={`${CELL} text-muted wrap-anywhere max-sm:order-6 max-sm:col-span-3 max-sm:text-xs`}>
          {check.errorMessage}
        </td>
      </tr>
      {isOpen ? (
        <tr id={detail} className="border-b border-line bg-canvas last:border-0 max-sm:block">
          <td colSpan={6} className="px-4 py-4 max-sm:block">
            <CheckDetail check={check} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
