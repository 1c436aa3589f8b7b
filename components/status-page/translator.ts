import { LRUCache } from 'lru-cache';
import { fill } from '@/lib/core/fill';
import type { Language } from '@/lib/schemas/language';
import { MESSAGES } from './messages';
import type { Messages, Plural } from './messages/messages';

/** How a moment is written, on the server in UTC and by the page's script in the visitor's zone. */
export const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions;

/** The texts of a language, and what writes numbers and dates in it. All dates are UTC. */
export type Translator = {
  language: Language;
  messages: Messages;
  /** The text for a number, with the number in it. */
  plural(forms: Plural, n: number): string;
  /** 0 to 100 with two decimals, as they are: what was cut is not rounded here. Only 100 has none. */
  percent(value: number): string;
  /** Milliseconds as `120 ms`. */
  milliseconds(value: number): string;
  /** Milliseconds as their largest two units: `1 hr 5 min`. */
  duration(ms: number): string;
  /** An ISO instant, to the minute. */
  moment(iso: string): string;
  /** `2026-11-20` */
  day(date: string): string;
  /** From one such day to a later one. */
  days(first: string, last: string): string;
  /** `2026-11` */
  month(month: string): string;
  list(texts: string[]): string;
};

const made = new Map<Language, Translator>();

/** The translator of a language; made once, for Intl's own objects are slow to make. */
export function translatorOf(language: Language): Translator {
  const known = made.get(language) ?? createTranslator(language);
  made.set(language, known);
  return known;
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
  const days = remember((text) => {
    const [first = '', last = ''] = text.split(' ');
    return day.formatRange(midnight(first), midnight(last));
  });
  return {
    language,
    messages,
    plural: (forms, n) => fill(forms[rules.select(n)] ?? forms.other, { n: number.format(n) }),
    percent: (value) => (value === 100 ? whole : exact).format(value / 100),
    milliseconds: (value) => milliseconds.format(value),
    duration: (ms) => writeDuration(ms, units),
    moment: (iso) => moment.format(new Date(iso)),
    day: remember((text) => day.format(midnight(text))),
    days: (first, last) => days(`${first} ${last}`),
    month: (text) => month.format(new Date(`${text}-01T00:00:00Z`)),
    list: (texts) => list.format(texts),
  };
}

/** Writes each text once: a page names the same 90 days for every monitor, and again at every refresh. */
function remember(write: (text: string) => string): (text: string) => string {
  const written = new LRUCache<string, string>({ max: 5000 });
  return (text) => {
    const known = written.get(text);
    if (known !== undefined) return known;
    const words = write(text);
    written.set(text, words);
    return words;
  };
}

/** `units` are those of days, hours, minutes and seconds. */
function writeDuration(ms: number, units: Intl.NumberFormat[]): string {
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
