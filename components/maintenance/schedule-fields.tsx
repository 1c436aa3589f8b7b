'use client';

import { useEffect, useState } from 'react';
import { SelectField, TextField } from '@/components/ui/field';
import { OccurrencePreview, type Preview } from './occurrence-preview';
import { CUSTOM, REPEATS } from './repeat';

type Props = {
  values: Record<string, string>;
  errors: Record<string, string>;
  timeZones: readonly string[];
  preview: Preview;
};

const HOUR = 3_600_000;
const OPTIONS = [
  ...REPEATS.map(({ value, label }) => ({ value, label })),
  { value: CUSTOM, label: 'By a rule …' },
];

/** When a window is. Empty, it proposes the next full hour by the reader's own clocks. */
export function ScheduleFields({ values, errors, timeZones, preview }: Props) {
  const [schedule, setSchedule] = useState({
    startsAt: values.startsAt ?? '',
    endsAt: values.endsAt ?? '',
    timeZone: values.timeZone ?? 'UTC',
    repeat: values.repeat ?? 'once',
    rrule: values.rrule ?? '',
  });
  const { startsAt, endsAt, timeZone, repeat, rrule } = schedule;

  // The server does not know the reader's zone.
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    setSchedule((current) => {
      if (current.startsAt !== '' || current.endsAt !== '') return current;
      const next = Math.ceil(Date.now() / HOUR) * HOUR;
      const zone = timeZones.includes(own) ? own : 'UTC';
      return {
        ...current,
        timeZone: zone,
        startsAt: localText(next, zone),
        endsAt: localText(next + HOUR, zone),
      };
    });
  }, [timeZones]);

  const bind = (name: keyof typeof schedule) => ({
    name,
    value: schedule[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) =>
      setSchedule({ ...schedule, [name]: event.target.value }),
  });
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
        <SelectField {...bind('repeat')} label="Repeat" options={OPTIONS} error={errors.repeat} />
      </div>
      {repeat === CUSTOM ? (
        <TextField
          {...bind('rrule')}
          label="Rule"
          placeholder="FREQ=MONTHLY;BYDAY=1SU"
          hint="An RFC 5545 RRULE, at most hourly. It goes by the clocks of the time zone."
          className="[&_input]:font-mono"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
        />
      ) : null}
      <OccurrencePreview schedule={{ startsAt, endsAt, timeZone, repeat, rrule }} preview={preview} />
    </div>
  );
}

/** What a field of date and time holds for a moment, by the clocks of a zone. */
function localText(instant: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(instant).replace(' ', 'T');
}
