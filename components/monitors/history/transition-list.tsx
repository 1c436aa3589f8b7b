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
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import { LocalTime } from '@/components/ui/local-time';
import { Moment } from '@/components/ui/moment';
import type { MonitorView } from '@/lib/schemas/monitor-view';
import type { Page } from '@/lib/schemas/query';
import type { Transition } from '@/lib/schemas/transition';
import { monitorAddress } from '../monitor-address';
import { type ToldTransition, tellTransition } from './transition-texts';

const LOOKS = {
  operational: { Icon: CircleCheck, colour: 'text-good' },
  degraded: { Icon: TriangleAlert, colour: 'text-slow' },
  down: { Icon: CircleX, colour: 'text-bad' },
  pending: { Icon: CircleDashed, colour: 'text-muted' },
  maintenance: { Icon: Wrench, colour: 'text-accent' },
  paused: { Icon: CirclePause, colour: 'text-muted' },
  unknown: { Icon: CircleHelp, colour: 'text-muted' },
} as const;

type Props = { id: string; view: MonitorView; page: Page<Transition>; now: Date };

/** The changes of a monitor's state, newest first, each with why; those decided by checks open to how each region voted. */
export function TransitionList({ id, view, page, now }: Props) {
  const at = (changes: MonitorView['changes']) => monitorAddress(id, { ...view, changes });
  return (
    <section aria-labelledby="changes-title" className="flex min-w-0 flex-col gap-3">
      <h2 id="changes-title" className="text-sm font-semibold">
        Changes of state
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
      {view.changes || page.next ? (
        <nav aria-label="Pages of changes" className="flex justify-end gap-2">
          {view.changes ? (
            <Link prefetch={false} scroll={false} href={at(null)} className={buttonLook()}>
              Newest
            </Link>
          ) : null}
          {page.next ? (
            <Link prefetch={false} scroll={false} href={at(page.next)} className={buttonLook()}>
              Older
            </Link>
          ) : null}
        </nav>
      ) : null}
    </section>
  );
}

function TransitionItem({ transition, now }: { transition: Transition; now: string }) {
  const told = tellTransition(transition);
  const summary = <Summary transition={transition} told={told} now={now} />;
  if (told.votes.length === 0) return <div className="flex gap-2 py-2.5 pr-3 pl-8">{summary}</div>;
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
          {told.votes.map((vote) => (
            <li key={vote} className="wrap-anywhere">
              {vote}
            </li>
          ))}
        </ul>
        {told.dating ? <p className="text-xs text-muted">{told.dating}</p> : null}
      </div>
    </details>
  );
}

function Summary({ transition, told, now }: { transition: Transition; told: ToldTransition; now: string }) {
  const { at, endedAt, to } = transition;
  return (
    <>
      <StateIcon state={to} className="mt-0.5" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">{told.title}</span>
          <span className="text-xs text-muted tabular-nums">
            <LocalTime at={at} now={now} />
            {' · for '}
            <Moment at={at} now={endedAt ?? now} as="duration" />
          </span>
        </span>
        {told.why ? <span className="text-muted wrap-anywhere">{told.why}</span> : null}
      </span>
    </>
  );
}

/** The icon of a state of the ledger, beside its word. */
function StateIcon({ state, className }: { state: Transition['to']; className: string }) {
  const { Icon, colour } = LOOKS[state];
  return <Icon className={`size-4 shrink-0 ${colour} ${className}`} aria-hidden="true" />;
}
