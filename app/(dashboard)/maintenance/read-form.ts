import { CUSTOM, REPEATS } from '@/components/maintenance/repeat';
import { readChosen } from '@/components/ui/form-state';
import { DomainError } from '@/lib/core/errors';
import { instantOf, isTimeZone, wallTime } from '@/lib/core/zoned-time';
import type { Maintenance } from '@/lib/schemas/maintenance';

type Fields = { get(name: string): unknown };

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** The times of the form as the API takes them. Throws VALIDATION_ERROR for what is no date and time. */
export function readSchedule(form: Fields) {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const timeZone = text('timeZone') || 'UTC';
  const repeat = text('repeat');
  const rrule = repeat === CUSTOM ? text('rrule') : REPEATS.find(({ value }) => value === repeat)?.rrule;
  const [startsAt, endsAt] = (['startsAt', 'endsAt'] as const).map((name) => {
    const wall = LOCAL.test(text(name)) ? Date.parse(`${text(name)}Z`) : Number.NaN;
    if (Number.isNaN(wall)) throw noMoment(name);
    // The schema names a zone that is none.
    return new Date(isTimeZone(timeZone) ? instantOf(wall, timeZone) : wall).toISOString();
  });
  return { startsAt, endsAt, timeZone, rrule: rrule ?? null };
}

/** The sent form as a body of `POST /maintenance`, still to be parsed: the schema refuses what is wrong. */
export function readMaintenanceForm(form: FormData): Record<string, unknown> {
  return {
    title: String(form.get('title') ?? ''),
    // A form sends line breaks as CR LF, whatever was typed.
    message: String(form.get('message') ?? '').replaceAll('\r\n', '\n'),
    monitors: readChosen(form, 'monitors', 1000),
    ...readSchedule(form),
  };
}

/** What the form shows of a window: its times by the clocks of its zone. */
export function formValues(window: Maintenance, repeat: string): Record<string, string> {
  const local = (at: string) => {
    const text = new Date(wallTime(Date.parse(at), window.timeZone)).toISOString();
    // The API takes seconds and milliseconds: they must come back as they were.
    return text.replace(/(:00)?(\.000)?Z$/, '');
  };
  return {
    title: window.title,
    message: window.message,
    startsAt: local(window.startsAt),
    endsAt: local(window.endsAt),
    timeZone: window.timeZone,
    repeat,
    rrule: window.rrule ?? '',
    monitors: window.monitors.join(','),
  };
}

function noMoment(path: string): DomainError {
  const detail = { path, code: 'invalid', message: 'must be a date and time' };
  return new DomainError('VALIDATION_ERROR', `The request is not valid: ${path}.`, [detail]);
}
