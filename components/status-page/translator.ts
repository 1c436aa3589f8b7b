import { LRUCache } from 'lru-cache';
import { fill } from '@/lib/core/fill';
import type { Language } from '@/lib/schemas/language';
import { MESSAGES } from './messages';
import type { Messages, Plural } from './messages/messages';

/** The format of a moment: in UTC on the server, in the visitor's time zone by the page's script. */
export const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions;

/** The texts of a language and its number and date formats. All dates are in UTC. */
export type Translator = {
  language: Language;
  messages: Messages;
  /** The plural form for a number, with the number filled in. */
  plural(forms: Plural, n: number): string;
  /** 0 to 100 with two decimals; 100 has none. The value must be truncated already. */
  percent(value: number): string;
  /** Milliseconds as `120 ms`. */
  milliseconds(value: number): string;
  /** Milliseconds as their two largest units: `1 hr 5 min`. */
  duration(ms: number): string;
  /** An ISO instant, to the minute. */
  moment(iso: string): string;
  /** `2026-11-20` */
  day(date: string): string;
  /** A range of days. */
  days(first: string, last: string): string;
  /** `2026-11` */
  month(month: string): string;
  list(texts: string[]): string;
};

const translators = new Map<Language, Translator>();

/** The translator of a language; created once, because Intl formatters are slow to create. */
export function translatorOf(language: Language): Translator {
  const translator = translators.get(language) ?? createTranslator(language);
  translators.set(language, translator);
  return translator;
}

function createTranslator(language: Language): Translator {
  const messages = MESSAGES[language];
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  const percent = (digits: number) =>
    new Intl.NumberFormat(language, {
      style: 'percent',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const [whole, exact] = [percent(0), percent(2)];
  const list = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' });
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const moment = date(MOMENT);
  const day = date({ year: 'numeric', month: 'short', day: 'numeric' });
  const month = date({ year: 'numeric', month: 'long' });
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
    plural: (forms, n) => fill(forms[rules.select(n)] ?? forms.other, { n: number.format(n) }),
    percent: (value) => (value === 100 ? whole : exact).format(value / 100),
    milliseconds: (value) => milliseconds.format(value),
    duration: (ms) => formatDuration(ms, units),
    moment: (iso) => moment.format(new Date(iso)),
    day: memoize((text) => day.format(midnight(text))),
    days: (first, last) => days(`${first} ${last}`),
    month: (text) => month.format(new Date(`${text}-01T00:00:00Z`)),
    list: (texts) => list.format(texts),
  };
}

/** Formats each text once: a page needs the same 90 days for every monitor and every refresh. */
function memoize(format: (text: string) => string): (text: string) => string {
  const cache = new LRUCache<string, string>({ max: 5000 });
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const formatted = format(text);
    cache.set(text, formatted);
    return formatted;
  };
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
  const shown = largest === -1 ? [seconds] : counts.slice(largest, largest + 2);
  const first = largest === -1 ? units.length - 1 : largest;
  return shown
    .flatMap((count, index) => (count > 0 || largest === -1 ? [units[first + index]?.format(count)] : []))
    .join(' ');
}
