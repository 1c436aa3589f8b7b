import type { ReactNode } from 'react';
import { Fact, Facts } from '@/components/ui/fold';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { EmptyNote, Section } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import type { RecoveryPreview } from '@/lib/domain/webhooks/deliveries/preview-recovery';
import type { RecoverySpan } from '@/lib/schemas/webhooks/recovery';

export const SPAN_LABELS: Record<RecoverySpan, string> = {
  all: 'All',
  week: 'Last 7 days',
  day: 'Last 24 hours',
  hour: 'Last hour',
};

/** What would be sent again of the deliveries of a span, which began at `since`. */
export type Preview = RecoveryPreview & { span: RecoverySpan; since: Date };

type Props = {
  path: string;
  preview: Preview;
  now: string;
  confirm: (form: FormData) => void;
  isConfirming: boolean;
};

/** Shows which deliveries would be sent again, and asks whether to. */
export function RecoveryConfirmation({ path, preview, now, confirm, isConfirming }: Props) {
  const { total, events, monitors, hasMoreMonitors, span, since } = preview;
  return (
    <Section title={`Resend missed deliveries: ${SPAN_LABELS[span].toLowerCase()}`}>
      {total ? (
        <Facts className="grid-cols-2 lg:grid-cols-[1fr_1fr_2fr_2fr]">
          <Fact term="Oldest">
            <Moment at={total.first.toISOString()} now={now} />
          </Fact>
          <Fact term="Newest">
            <Moment at={total.last.toISOString()} now={now} />
          </Fact>
          <Fact term="Events" className="max-lg:col-span-2">
            <Counts>
              {events.map(({ event, count }) => (
                <Count key={event} count={count}>
                  <span className="font-mono text-xs">{event}</span>
                </Count>
              ))}
            </Counts>
          </Fact>
          <Fact term="Monitors" className="max-lg:col-span-2">
            <Counts>
              {monitors.map(({ id, name, count }) => (
                <Count key={id} count={count}>
                  {name === null ? 'A deleted monitor' : <TextLink href={`/monitors/${id}`}>{name}</TextLink>}
                </Count>
              ))}
              {hasMoreMonitors ? <li className="text-muted">and others</li> : null}
              {monitors.length === 0 ? <li className="text-muted">None</li> : null}
            </Counts>
          </Fact>
        </Facts>
      ) : (
        <EmptyNote>No deliveries were missed in that period. There is nothing to resend.</EmptyNote>
      )}
      <form action={confirm} className="flex flex-wrap items-center gap-2">
        <input type="hidden" name="since" value={since.toISOString()} />
        {total ? (
          <SubmitButton tone="primary" isPending={isConfirming}>
            {total.count === 1 ? 'Resend 1 delivery' : `Resend ${total.count} deliveries`}
          </SubmitButton>
        ) : null}
        <ButtonLink href={path} scroll={false}>
          {total ? 'Cancel' : 'Back'}
        </ButtonLink>
        {total ? (
          <p className="w-full text-xs text-muted">
            Each keeps its ID and body, and is retried on a new schedule.
          </p>
        ) : null}
      </form>
    </Section>
  );
}

function Counts({ children }: { children: ReactNode }) {
  return <ul className="flex flex-col gap-0.5 font-normal">{children}</ul>;
}

function Count({ count, children }: { count: number; children: ReactNode }) {
  return (
    <li className="flex items-baseline justify-between gap-3">
      <span className="min-w-0 truncate">{children}</span>
      <span className="tabular-nums">{count}</span>
    </li>
  );
}
