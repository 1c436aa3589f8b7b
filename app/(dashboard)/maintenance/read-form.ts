import { CUSTOM, REPEATS } from '@/components/maintenance/repeat';
import { readTranslations } from '@/components/translations/read-translations';
import { translationValues } from '@/components/translations/translation-names';
import { readChosen, readText } from '@/components/ui/forms/form-state';
import { DomainError } from '@/lib/core/errors';
import { instantOf, isTimeZone, wallTime } from '@/lib/core/time/zoned-time';
import type { Maintenance } from '@/lib/schemas/maintenance';

type Fields = { get(name: string): unknown };

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** The schedule of the form as the API takes it. Throws VALIDATION_ERROR for an invalid date or time. */
export function readSchedule(form: Fields) {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const timeZone = text('timeZone') || 'UTC';
  const repeat = text('repeat');
  const rrule = repeat === CUSTOM ? text('rrule') : REPEATS.find(({ value }) => value === repeat)?.rrule;
  const [startsAt, endsAt] = (['startsAt', 'endsAt'] as const).map((name) => {
    const wall = LOCAL.test(text(name)) ? Date.parse(`${text(name)}Z`) : Number.NaN;
    if (Number.isNaN(wall)) throw invalidTime(name);
    // An unknown time zone is left to the schema, which names the field.
    return new Date(isTimeZone(timeZone) ? instantOf(wall, timeZone) : wall).toISOString();
  });
  return { startsAt, endsAt, timeZone, rrule: rrule ?? null };
}

/** The submitted form as an unvalidated body of `POST /maintenance`. */
export function readMaintenanceForm(form: FormData): Record<string, unknown> {
  return {
    title: readText(form, 'title'),
    message: readText(form, 'message'),
    translations: readTranslations(form, ['title', 'message']),
    monitors: readChosen(form, 'monitors', 1000),
    ...readSchedule(form),
  };
}

/** Form values of a window, with times in its own time zone. */
export function formValues(window: Maintenance, repeat: string): Record<string, string> {
  const local = (at: string) => {
    const text = new Date(wallTime(Date.parse(at), window.timeZone)).toISOString();
    // The API accepts seconds and milliseconds, which must survive a round trip.
    return text.replace(/(:00)?(\.000)?Z$/, '');
  };
  return {
    title: window.title,
    message: window.message,
    ...translationValues(window.translations),
    startsAt: local(window.startsAt),
    endsAt: local(window.endsAt),
    timeZone: window.timeZone,
    repeat,
    rrule: window.rrule ?? '',
    monitors: window.monitors.join(','),
  };
}

function invalidTime(path: string): DomainError {
  const detail = { path, code: 'invalid', message: 'must be a date and time' };
  return new DomainError('VALIDATION_ERROR', `The request is not valid: ${path}.`, [detail]);
}
