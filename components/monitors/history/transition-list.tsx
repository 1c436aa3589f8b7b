import { ChevronRight, CircleHelp } from 'lucide-react';
import type { RegionNames } from '@/components/monitors/regions/name-region';
import { Pagination } from '@/components/ui/navigation/pagination';
import { Section } from '@/components/ui/section';
import { Period } from '@/components/ui/time/period';
import type { FlappingTime } from '@/lib/domain/monitors/history/flapping-times';
import type { Page } from '@/lib/schemas/cursor';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import type { Transition } from '@/lib/schemas/monitor/transition';
import { monitorHref } from '../monitor-href';
import { STANDING_STYLES } from '../standing-badge';
import { formatTransition } from './transition-texts';

const STYLES = { ...STANDING_STYLES, unknown: { Icon: CircleHelp, color: 'text-muted' } };

type Props = {
  id: string;
  view: MonitorView;
  page: Page<Transition>;
  /** When the monitor flapped. */
  flapping: readonly FlappingTime[];
  names: RegionNames;
  now: Date;
};

/** State changes, newest first, with their reasons. Those decided by checks expand to each region's vote. */
export function TransitionList({ id, view, page, flapping, names, now }: Props) {
  const at = (changes: MonitorView['changes']) => monitorHref(id, { ...view, changes });
  return (
    <Section title="Status history" className="min-w-0">
      <ol className="overflow-hidden rounded-lg border border-line bg-surface">
        {page.items.map((transition) => (
          <li
            key={`${transition.decidedAt} ${transition.at} ${transition.to}`}
            className="border-b border-line last:border-0"
          >
            <TransitionItem
              transition={transition}
              isHeld={isWithin(flapping, transition)}
              names={names}
              now={now.toISOString()}
            />
          </li>
        ))}
      </ol>
      <Pagination
        first={view.changes && at(null)}
        next={page.next && at(page.next)}
        list={{ label: 'Status history pagination', first: 'Newest', next: 'Older' }}
      />
    </Section>
  );
}

/** Whether people were not notified of a change because the monitor flapped already. */
function isWithin(flapping: readonly FlappingTime[], { decidedAt }: Transition): boolean {
  const at = new Date(decidedAt);
  return flapping.some(({ since, lastChangeAt }) => at > since && at <= lastChangeAt);
}

type ItemProps = { transition: Transition; isHeld: boolean; names: RegionNames; now: string };

function TransitionItem({ transition, isHeld, names, now }: ItemProps) {
  const texts = formatTransition(transition, names);
  const summary = <Summary transition={transition} texts={texts} isHeld={isHeld} now={now} />;
  if (texts.votes.length === 0) return <div className="flex gap-2 py-2.5 pr-3 pl-8">{summary}</div>;
  return (
    <details className="group">
      <summary className="flex list-none gap-2 px-3 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight className="-mr-1 mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
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

type SummaryProps = {
  transition: Transition;
  texts: ReturnType<typeof formatTransition>;
  isHeld: boolean;
  now: string;
};

function Summary({ transition, texts, isHeld, now }: SummaryProps) {
  const { at, endedAt, to } = transition;
  const { Icon, color } = STYLES[to];
  return (
    <>
      <Icon className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">{texts.title}</span>
          <Period from={at} to={endedAt} now={now} />
        </span>
        {texts.why ? <span className="text-muted wrap-anywhere">{texts.why}</span> : null}
        {isHeld ? <span className="text-xs text-slow">Flapping: people were not notified</span> : null}
      </span>
    </>
  );
}
