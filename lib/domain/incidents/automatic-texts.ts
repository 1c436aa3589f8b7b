import { SERVICE_TEXTS } from '@/lib/schemas/incidents/service-texts';

/** How the texts of automatic incidents end; they start with the name of the monitor at the time. */
export const ENDINGS = {
  down: endingFrom(SERVICE_TEXTS.en.down),
  degraded: endingFrom(SERVICE_TEXTS.en.degraded),
  isDown: endingFrom(SERVICE_TEXTS.en.isDown),
  isSlow: endingFrom(SERVICE_TEXTS.en.isSlow),
  isSlowAgain: endingFrom(SERVICE_TEXTS.en.isSlowAgain),
  isUp: endingFrom(SERVICE_TEXTS.en.isUp),
} as const;

function endingFrom(text: string): string {
  return text.replace('{name}', '');
}

/** The ending of a text, if it can be one of an automatic incident. */
export function endingOf(text: string): string | null {
  return Object.values(ENDINGS).find((ending) => text.endsWith(ending)) ?? null;
}

/** A text of an automatic incident with another name, if it starts with one of `names`, which the monitor had. */
export function withName(text: string, names: readonly string[], name: string): string {
  const ending = endingOf(text);
  if (ending === null || !names.includes(text.slice(0, -ending.length))) return text;
  return `${name}${ending}`;
}

/** The names of the monitor in texts that the service wrote about an automatic incident. */
export function namesIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const ending = endingOf(text);
    return ending === null ? [] : [text.slice(0, -ending.length)];
  });
}
