/** A schedule of five cron fields, in UTC. */
export type CronSchedule = {
  expression: string;
  /** Whether it fires in the minute that `at` lies in. */
  matches(at: Date): boolean;
};

type Field = { name: string; min: number; max: number; names?: string[] };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MINUTE: Field = { name: 'minute', min: 0, max: 59 };
const HOUR: Field = { name: 'hour', min: 0, max: 23 };
const DAY: Field = { name: 'day of month', min: 1, max: 31 };
const MONTH: Field = { name: 'month', min: 1, max: 12, names: MONTHS };
// Both 0 and 7 are Sunday.
const WEEKDAY: Field = { name: 'day of week', min: 0, max: 7, names: WEEKDAYS };

/**
 * Reads a cron expression: lists, ranges, steps and English names of months and days.
 * @throws Error saying what is wrong; time zones (`TZ=`), seconds and `@hourly` are not supported
 */
export function parseCron(expression: string): CronSchedule {
  const [minute, hour, day, month, weekday, ...more] = expression.trim().split(/\s+/);
  if (!minute || !hour || !day || !month || !weekday || more.length > 0) {
    throw new Error(`cron "${expression}" does not have exactly five fields`);
  }
  const minutes = parseField(minute, MINUTE);
  const hours = parseField(hour, HOUR);
  const days = parseField(day, DAY);
  const months = parseField(month, MONTH);
  const weekdays = parseField(weekday, WEEKDAY);
  if (weekdays.has(7)) weekdays.add(0);

  // Cron's old rule: when both the day of month and the day of week are restricted, either suffices.
  const eitherDay = day !== '*' && weekday !== '*';
  function matchesDay(at: Date): boolean {
    const byDay = days.has(at.getUTCDate());
    const byWeekday = weekdays.has(at.getUTCDay());
    return eitherDay ? byDay || byWeekday : byDay && byWeekday;
  }

  return {
    expression,
    matches: (at) =>
      minutes.has(at.getUTCMinutes()) &&
      hours.has(at.getUTCHours()) &&
      months.has(at.getUTCMonth() + 1) &&
      matchesDay(at),
  };
}

function parseField(text: string, field: Field): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...rest] = part.split('/');
    const every = step === undefined ? 1 : parseNumber(step, text, { ...field, min: 1, names: undefined });
    if (rest.length > 0) throw invalid(text, field);
    const { from, to } = parseRange(range, text, field, step !== undefined);
    for (let value = from; value <= to; value += every) values.add(value);
  }
  return values;
}

function parseRange(range: string, text: string, field: Field, hasStep: boolean) {
  if (range === '*') return { from: field.min, to: field.max };
  const [first = '', last, ...rest] = range.split('-');
  const from = parseNumber(first, text, field);
  // `5/15` means from 5 to the end in steps of 15.
  const end = hasStep ? field.max : from;
  const to = last === undefined ? end : parseNumber(last, text, field);
  if (rest.length > 0 || to < from) throw invalid(text, field);
  return { from, to };
}

function parseNumber(word: string, text: string, field: Field): number {
  const named = field.names?.indexOf(word.toLowerCase()) ?? -1;
  if (named >= 0) return named + field.min;
  const value = Number(word);
  if (!/^\d+$/.test(word) || value < field.min || value > field.max) throw invalid(text, field);
  return value;
}

function invalid(text: string, field: Field): Error {
  return new Error(`cron field "${text}" is not a ${field.name} (${field.min}-${field.max})`);
}
