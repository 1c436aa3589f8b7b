import { LRUCache } from 'lru-cache';
import { fill } from '@/lib/core/text';
import { dateFormat } from '@/lib/core/time/date-format';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import type { Language } from '@/lib/schemas/language';
import { fillPlural, type Plural } from '@/lib/schemas/language/texts';
import { MESSAGES } from './messages';

/** The format of a moment. */
export const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions;

/** The texts of a language and its number and date formats. All dates are in UTC unless `inTimeZone` moves them. */
export type Translator = ReturnType<typeof createTranslator>;

const translators = new Map<Language, Translator>();

/** The translator of a language; created once, because Intl formatters are slow to create. */
export function translatorOf(language: Language): Translator {
  const translator = translators.get(language) ?? createTranslator(language);
  translators.set(language, translator);
  return translator;
}

function createTranslator(language: Language) {
  const messages = MESSAGES[language];
  const number = new Intl.NumberFormat(language);
  const whole = new Intl.NumberFormat(language, { style: 'percent' });
  const exact = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 2 });
  const list = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' });
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const moment = date(MOMENT);
  const day = date({ year: 'numeric', month: 'short', day: 'numeric' });
  const month = date({ year: 'numeric', month: 'long' });
  const shortMonth = date({ year: 'numeric', month: 'short' });
  const unit = (name: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' });
  const milliseconds = unit('millisecond');
  const units = (['day', 'hour', 'minute', 'second'] as const).map(unit);
  const midnight = (text: string) => new Date(`${text}T00:00:00Z`);
  const days = memoize((text) => {
    const [first = '', last = ''] = text.split(' ');
    return day.formatRange(midnight(first), midnight(last));
  });
  return {
    language,
    messages,
    /** The plural form for a number, with the number filled in. */
    plural: (forms: Plural, n: number) => fillPlural(forms, n, language, number.format),
    /** 0 to 100 with two decimals; 100 has none, null is a dash. The value must be truncated already. */
    percent: (value: number | null) =>
      value === null ? '–' : (value === 100 ? whole : exact).format(value / 100),
    milliseconds: (value: number) => milliseconds.format(value),
    /** Milliseconds as their two largest units: `1 hr 5 min`. */
    duration: (ms: number) => formatDuration(ms, units),
    /** An ISO instant, to the minute. */
    moment: memoize((iso) => moment.format(new Date(iso))),
    /** The same in another time zone; undefined if there is none. */
    momentTitle: (_iso: string): string | undefined => undefined,
    /** `2026-11-20` */
    day: memoize((text) => day.format(midnight(text))),
    /** A range of days. */
    days: (first: string, last: string) => days(`${first} ${last}`),
    /** `2026-11` */
    month: (text: string) => month.format(midnight(`${text}-01`)),
    shortMonth: (text: string) => shortMonth.format(midnight(`${text}-01`)),
    /** `2026-Q4` */
    quarter: (text: string) => {
      const [year = '', n = ''] = text.split('-Q');
      return fill(messages.quarter, { year, n });
    },
    list: (texts: string[]) => list.format(texts),
  };
}

/** The translator with moments in a time zone, if there is one, and in UTC in their titles. Dates of days stay in UTC. */
export function inTimeZone(t: Translator, timeZone: string | null): Translator {
  if (timeZone === null || !isTimeZone(timeZone)) return t;
  const moments = momentsIn.memo(`${t.language} ${timeZone}`, {
    context: { language: t.language, timeZone },
  });
  return { ...t, moment: moments, momentTitle: t.moment };
}

/** Most pages have no time zone of their own, and the others few. */
const momentsIn = new LRUCache<string, (iso: string) => string, { language: Language; timeZone: string }>({
  max: 50,
  memoMethod: (_key, _stale, { context: { language, timeZone } }) => {
    const format = dateFormat(language, { ...MOMENT, timeZone });
    return memoize((iso) => format.format(new Date(iso)));
  },
});

/** Formats each text once: a page needs the same 90 days for every monitor and every refresh. */
function memoize(format: (text: string) => string): (text: string) => string {
  const cache = new LRUCache<string, string>({ max: 5000, memoMethod: (text) => format(text) });
  return (text) => cache.memo(text);
}

/** `units` are the formats of days, hours, minutes and seconds. */
function formatDuration(ms: number, units: Intl.NumberFormat[]): string {
  const seconds = Math.floor(ms / 1000);
  const counts = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const largest = counts.findIndex((count) => count > 0);
  if (largest === -1) return units.at(-1)?.format(seconds) ?? '';
  return counts
    .slice(largest, largest + 2)
    .flatMap((count, index) => (count > 0 ? [units[largest + index]?.format(count)] : []))
    .join(' ');
}
