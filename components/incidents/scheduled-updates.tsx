'use client';

import { CalendarClock, CircleSlash, Pencil, Trash2 } from 'lucide-react';
import { Translated } from '@/components/translations/translated';
import type { ActionProblem } from '@/components/ui/action-result';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { IconLabel } from '@/components/ui/icon-label';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { Section } from '@/components/ui/section';
import { LocalTime, Moment } from '@/components/ui/time/moment';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { UPDATE_CANCELLATION } from './consequences';
import { STATUS_LABELS } from './incident-texts';

type Props = {
  incident: Pick<Incident, 'id' | 'scheduledUpdates'>;
  now: string;
  /** Cancels one; null for viewers. */
  cancel: ((updateId: string) => Promise<ActionProblem>) | null;
};

/** The updates that are published later, and those that were dropped; nothing without any. */
export function ScheduledUpdates({ incident: { id, scheduledUpdates }, now, cancel }: Props) {
  if (scheduledUpdates.length === 0) return null;
  return (
    <Section title="Scheduled updates">
      <ol className="rounded-lg border border-line bg-surface px-4 py-1">
        {scheduledUpdates.map(
          ({ id: updateId, status, message, author, publishAt, droppedAt, translations }) => (
            <li key={updateId} className="flex flex-col gap-1 border-b border-line py-3 last:border-0">
              <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
                <span className="text-sm">
                  {droppedAt === null ? (
                    <IconLabel label="Scheduled" Icon={CalendarClock} color="text-ink" />
                  ) : (
                    <IconLabel label="Not published" Icon={CircleSlash} color="text-muted" />
                  )}
                </span>
                <span className="tabular-nums">
                  <LocalTime at={publishAt} now={now} /> (<Moment at={publishAt} now={now} />)
                </span>
                <span className="wrap-anywhere">by {author}</span>
                {status === null ? null : <span>sets {STATUS_LABELS[status]}</span>}
                {cancel === null ? null : (
                  <span className="ml-auto flex gap-2">
                    <ButtonLink href={`/incidents/${id}/updates/${updateId}`} icon={<Pencil />}>
                      Edit
                    </ButtonLink>
                    <ConfirmButton
                      icon={<Trash2 />}
                      title={droppedAt === null ? 'Cancel this update?' : 'Remove this update?'}
                      description={UPDATE_CANCELLATION}
                      confirm={droppedAt === null ? 'Cancel update' : 'Remove update'}
                      action={cancel.bind(null, updateId)}
                    >
                      {droppedAt === null ? 'Cancel' : 'Remove'}
                    </ConfirmButton>
                  </span>
                )}
              </div>
              <p className="max-w-[75ch] whitespace-pre-line wrap-anywhere">{message}</p>
              <Translated translations={translations} />
              {droppedAt === null ? null : (
                <p className="text-xs text-muted">
                  Not published: the incident was resolved <Moment at={droppedAt} now={now} />.
                </p>
              )}
            </li>
          ),
        )}
      </ol>
    </Section>
  );
}
