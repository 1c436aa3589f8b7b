import {
  ChevronRight,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleX,
  TriangleAlert,
  Wrench,
} from 'lucide-react';
import { LocalTime } from '@/components/ui/local-time';
import { Moment } from '@/components/ui/moment';
import { Pagination } from '@/components/ui/pagination';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import type { Transition } from '@/lib/schemas/monitor/transition';
import type { Page } from '@/lib/schemas/query';
import { monitorHref } from '../monitor-href';
import { formatTransition, type TransitionTexts } from './transition-texts';

const STYLES = {
  operational: { Icon: CircleCheck, color: 'text-good' },
  degraded: { Icon: TriangleAlert, color: 'text-slow' },
  down: { Icon: CircleX, color: 'text-bad' },
  pending: { Icon: CircleDashed, color: 'text-muted' },
  maintenance: { Icon: Wrench, color: 'text-accent' },
  paused: { Icon: CirclePause, color: 'text-muted' },
  unknown: { Icon: CircleHelp, color: 'text-muted' },
} as const;

type Props = { id: string; view: MonitorView; page: Page<Transition>; now: Date };

/** State changes, newest first, with their reasons. Those decided by checks expand to each region's vote. */
export function TransitionList({ id, view, page, now }: Props) {
  const at = (changes: MonitorView['changes']) => monitorHref(id, { ...view, changes });
  return (
    <section aria-labelledby="changes-title" className="flex min-w-0 flex-col gap-3">
      <h2 id="changes-title" className="text-sm font-semibold">
        Status history
      </h2>
      <ol className="overflow-hidden rounded-lg border border-line bg-surface">
        {page.items.map((transition) => (
          <li
            key={`${transition.decidedAt} ${transition.at} ${transition.to}`}
            className="border-b border-line last:border-0"
          >
            <TransitionItem transition={transition} now={now.toISOString()} />
          </li>
        ))}
      </ol>
      <Pagination
        first={view.changes && at(null)}
        next={page.next && at(page.next)}
        list={{ label: 'Status history pagination', first: 'Newest', next: 'Older' }}
      />
    </section>
  );
}

function TransitionItem({ transition, now }: { transition: Transition; now: string }) {
  const texts = formatTransition(transition);
  const summary = <Summary transition={transition} texts={texts} now={now} />;
  if (texts.votes.length === 0) return <div className="flex gap-2 py-2.5 pr-3 pl-8">{summary}</div>;
  return (
    <details className="group">
      <summary className="flex list-none gap-2 px-3 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="-mr-1 mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
          aria-hidden="true"
        />
        {summary}
      </summary>
      <div className="flex flex-col gap-2 border-t border-line bg-canvas py-3 pr-4 pl-14 text-sm">
        <ul className="flex flex-col gap-1">
          {texts.votes.map((vote) => (
            <li key={vote} className="wrap-anywhere">
              {vote}
            </li>
          ))}
        </ul>
        {texts.backdated ? <p className="text-xs text-muted">{texts.backdated}</p> : null}
      </div>
    </details>
  );
}

type SummaryProps = { transition: Transition; texts: TransitionTexts; now: string };

function Summary({ transition, texts, now }: SummaryProps) {
  const { at, endedAt, to } = transition;
  const { Icon, color } = STYLES[to];
  return (
    <>
      <Icon className={`mt-0.5 size-4 shrink-0 ${color}`} aria-hidden="true" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">{texts.title}</span>
          <span className="text-xs text-muted tabular-nums">
            <LocalTime at={at} now={now} />
            {' · for '}
            <Moment at={at} now={endedAt ?? now} as="duration" />
          </span>
        </span>
        {texts.why ? <span className="text-muted wrap-anywhere">{texts.why}</span> : null}
      </span>
    </>
  );
}
