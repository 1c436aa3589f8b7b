'use client';

import { useEffect, useState } from 'react';
import { MonitorPicker } from '@/components/monitors/monitor-picker';
import { TranslationFields } from '@/components/translations/translation-fields';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { FormButtons, useTyped } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState, splitIds } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { wallText } from '@/lib/core/time/zoned-time';
import { CUSTOM, formatSpan, REPEATS } from './repeat';

const HOUR = 3_600_000;

const OPTIONS = [
  ...REPEATS.map(({ value, label }) => ({ value, label })),
  { value: CUSTOM, label: 'Custom rule…' },
];

/** Debounce before querying the server. */
const DEBOUNCE_MS = 300;

/** The next occurrences of a schedule, or the problem with it. */
export type Previewed = { occurrences: { startsAt: string; endsAt: string }[]; problem: string | null };
export type PreviewSchedule = (schedule: Record<string, string>) => Promise<Previewed>;

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  preview: PreviewSchedule;
  initial: FormState['values'];
  monitors: readonly { id: string; name: string }[];
  timeZones: readonly string[];
  submitLabel: string;
  /** A window that exists is not entered afterwards. */
  isNew?: boolean;
};

const TEXTS = [
  { name: 'title', label: 'Title' },
  { name: 'message', label: 'Message', isLong: true },
];

/** What decides when a window takes place. */
const SCHEDULE = ['startsAt', 'endsAt', 'timeZone', 'repeat', 'rrule'];

/** The form of a new or existing maintenance window. */
export function MaintenanceForm(props: Props) {
  const { save, preview, initial, monitors, timeZones, submitLabel, isNew = false } = props;
  const [state, action, isPending] = useSubmission(save, freshState(initial));
  const { values, errors } = state;
  return (
    <GuardedForm action={action} state={state} together={[SCHEDULE]} className="flex flex-col gap-5">
      <TextField {...fieldOf(state, 'title')} label="Title" required placeholder="Database upgrade" />
      <TextArea
        {...fieldOf(state, 'message')}
        label="Message"
        hint="Optional. Shown on status pages."
        className="[&_textarea]:font-sans"
      />
      <TranslationFields texts={TEXTS} values={values} error={errors.translations} />
      <ScheduleFields values={values} errors={errors} timeZones={timeZones} preview={preview} isNew={isNew} />
      <MonitorPicker monitors={monitors} chosen={splitIds(values.monitors)} error={errors.monitors} />
      <FormButtons cancelHref="/maintenance" isPending={isPending}>
        {submitLabel}
      </FormButtons>
    </GuardedForm>
  );
}

type ScheduleFieldsProps = Pick<Props, 'timeZones' | 'preview' | 'isNew'> &
  Pick<FormState, 'values' | 'errors'>;

/** When a window takes place. Defaults to the next full hour in the reader's time zone. */
function ScheduleFields({ values, errors, timeZones, preview, isNew }: ScheduleFieldsProps) {
  const { startsAt = '', endsAt = '', timeZone = 'UTC', repeat = 'once', rrule = '' } = values;
  const initial = { startsAt, endsAt, timeZone, repeat, rrule };
  const { typed: schedule, setTyped: setSchedule, bind } = useTyped(initial, errors);

  // The server does not know the reader's time zone.
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    setSchedule((current) => {
      if (current.startsAt !== '' || current.endsAt !== '') return current;
      const next = Math.ceil(Date.now() / HOUR) * HOUR;
      const zone = timeZones.includes(own) ? own : 'UTC';
      const [start, end] = [wallText(next, zone), wallText(next + HOUR, zone)];
      return { ...current, timeZone: zone, startsAt: start, endsAt: end };
    });
  }, [timeZones, setSchedule]);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...bind('startsAt')} label="Start" type="datetime-local" required />
        <TextField {...bind('endsAt')} label="End" type="datetime-local" required />
        <SelectField
          {...bind('timeZone')}
          label="Time zone"
          options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
        <SelectField {...bind('repeat')} label="Repeat" options={OPTIONS} />
      </div>
      {schedule.repeat === CUSTOM ? (
        <TextField
          {...bind('rrule')}
          label="Rule"
          placeholder="FREQ=MONTHLY;BYDAY=1SU"
          hint="An RFC 5545 recurrence rule in the time zone above, at most hourly."
          isCode
          autoCapitalize="characters"
        />
      ) : null}
      <OccurrencePreview schedule={schedule} preview={preview} />
      {isNew ? <AfterwardsNote schedule={schedule} /> : null}
    </div>
  );
}

type ScheduleOf = Record<'endsAt' | 'timeZone' | 'repeat', string>;

/** What it means that a new window is over. */
function AfterwardsNote({ schedule: { endsAt, timeZone, repeat } }: { schedule: ScheduleOf }) {
  const isOver = endsAt !== '' && repeat === 'once' && endsAt <= wallText(Date.now(), timeZone);
  if (!isOver) return null;
  return (
    <p role="status" className="rounded-md border border-line bg-sunken px-3 py-2 text-sm text-muted">
      This window is in the past. Its time will count as maintenance, the measured figures are kept, and
      nobody is notified.
    </p>
  );
}

type PreviewProps = { schedule: Record<string, string> & { timeZone: string }; preview: PreviewSchedule };

/** Previews the next three occurrences of a recurring window. */
function OccurrencePreview({ schedule, preview }: PreviewProps) {
  const [shown, setShown] = useState<Previewed | null>(null);
  const requested = JSON.stringify(schedule);
  const repeats = schedule.repeat !== 'once';

  useEffect(() => {
    if (!repeats) return;
    let isStale = false;
    const timer = setTimeout(async () => {
      // Keep the last preview if the request fails; submitting the form shows the error.
      const response = await preview(JSON.parse(requested)).catch(() => null);
      if (response && !isStale) setShown(response);
    }, DEBOUNCE_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [requested, repeats, preview]);

  if (!repeats) return null;
  return (
    <div role="status" className="rounded-md border border-line bg-sunken px-3 py-2 text-sm">
      {shown === null || shown.problem !== null ? (
        <p className="text-muted">{shown?.problem ?? 'Calculating the next occurrences…'}</p>
      ) : (
        <>
          <p className="text-xs text-muted">Next</p>
          <ul className="tabular-nums">
            {shown.occurrences.map(({ startsAt, endsAt }) => (
              <li key={startsAt}>{formatSpan(startsAt, endsAt, schedule.timeZone)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
