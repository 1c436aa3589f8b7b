const WEEKDAY = '(?:MO|TU|WE|TH|FR|SA|SU)';
const MAX_LENGTH = 500;

type Part = { allows: (value: string) => boolean; says: string };

/** The parts of a rule that are taken. What would make it denser than hourly, or is of no Gregorian calendar, is not. */
const PARTS: Record<string, Part> = {
  FREQ: oneOf(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY']),
  INTERVAL: number(1, 1000),
  COUNT: number(1, 1000),
  UNTIL: matching(/^\d{8}(T\d{6}Z?)?$/, 'a date, or a date and time such as 20270131T120000Z'),
  BYDAY: listOf(new RegExp(`^([+-]?[1-9]\\d?)?${WEEKDAY}$`), 'weekdays such as MO or -1FR'),
  BYMONTH: numbers(1, 12),
  BYMONTHDAY: numbers(1, 31, { signed: true }),
  BYYEARDAY: numbers(1, 366, { signed: true }),
  BYWEEKNO: numbers(1, 53, { signed: true }),
  BYSETPOS: numbers(1, 366, { signed: true }),
  BYHOUR: numbers(0, 23),
  BYMINUTE: number(0, 59),
  BYSECOND: number(0, 59),
  WKST: oneOf(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']),
};

/**
 * What is wrong with the value of an RFC 5545 RRULE, as a predicate ("must name FREQ"); null where nothing is. Whether it
 * ever comes to pass, and how often, is not looked at here.
 */
export function findRruleFault(rrule: string): string | null {
  if (rrule.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  const seen = new Map<string, string>();
  for (const text of rrule.split(';')) {
    const [, name = '', value = ''] = /^([A-Z]+)=(.+)$/.exec(text) ?? [];
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (part === undefined)
      return 'must be an RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO, without other parts';
    if (seen.has(name)) return `must not repeat ${name}`;
    if (!part.allows(value)) return `must have as ${name} ${part.says}`;
    seen.set(name, value);
  }
  if (!seen.has('FREQ')) return 'must name FREQ';
  if (seen.has('COUNT') && seen.has('UNTIL')) return 'must not have both COUNT and UNTIL';
  return null;
}

function matching(pattern: RegExp, says: string): Part {
  return { allows: (value) => pattern.test(value), says };
}

function oneOf(values: string[]): Part {
  return { allows: (value) => values.includes(value), says: `one of ${values.join(', ')}` };
}

function listOf(pattern: RegExp, says: string): Part {
  return { allows: (value) => value.split(',').every((each) => pattern.test(each)), says };
}

function number(minimum: number, maximum: number): Part {
  return {
    allows: (value) => isWithin(value, minimum, maximum),
    says: `one whole number from ${minimum} to ${maximum}`,
  };
}

function numbers(minimum: number, maximum: number, { signed = false } = {}): Part {
  const unsigned = (value: string) => (signed ? value.replace(/^[+-]/, '') : value);
  return {
    allows: (value) => value.split(',').every((each) => isWithin(unsigned(each), minimum, maximum)),
    says: `whole numbers from ${minimum} to ${maximum}${signed ? ', or negative' : ''}`,
  };
}

function isWithin(value: string, minimum: number, maximum: number): boolean {
  return /^\d{1,4}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
}
