import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { oneOf } from '@/lib/schemas/text';

const SHOWN = ['immediately', 'after', 'manually'] as const;
const MAX_MINUTES = 1440;
const MINUTES = `must be a whole number from 1 to ${MAX_MINUTES}`;

const DESCRIPTION =
  'When the page shows automatic incidents: immediately, after some minutes if they are still open, or only once a person publishes them on it';

/** When a page shows automatic incidents, as callers send it. */
export const automaticIncidentsInput = z
  .strictObject(
    {
      show: described(oneOf(SHOWN), 'immediately, after some minutes, or only manually', 'after'),
      afterMinutes: described(
        z.int(MINUTES).min(1, MINUTES).max(MAX_MINUTES, MINUTES).nullable().default(null),
        'Minutes from the opening of an incident; only, and required, with after',
        10,
      ),
    },
    'must be an object or null',
  )
  .refine(({ show, afterMinutes }) => (show === 'after') === (afterMinutes !== null), {
    path: ['afterMinutes'],
    message: 'must be set if incidents are shown after a time, and only then',
  })
  .meta({ description: DESCRIPTION });

/** The same as the API returns it. */
export const automaticIncidentsSchema = z
  .strictObject({
    show: described(z.enum(SHOWN), 'immediately, after some minutes, or only manually', 'after'),
    afterMinutes: described(
      z.int().min(1).max(MAX_MINUTES).nullable(),
      'Minutes from the opening of an incident; null unless show is after',
      10,
    ),
  })
  .meta({ description: DESCRIPTION });

export type AutomaticIncidents = z.output<typeof automaticIncidentsSchema>;

/** As pages have done before there was a choice. */
export const SHOWN_IMMEDIATELY = { show: 'immediately', afterMinutes: null } as const;

/** The minutes after which a page shows them: 0 for at once, null for only by hand. */
export function delayOf({ show, afterMinutes }: AutomaticIncidents): number | null {
  return show === 'immediately' ? 0 : afterMinutes;
}

/** Which automatic incidents a page shows: `automaticDelay` is 0 if it shows them immediately, and `automaticSince` is since when. */
export type PublishingPage<Instant> = {
  id: string;
  automaticDelay: number | null;
  /** null: always. */
  automaticSince: Instant | null;
};

/** An incident, and the IDs of the pages on which it was published. */
export type Publishable<Instant> = {
  automatic: boolean;
  publishedOn: readonly string[];
  resolvedAt: Instant | null;
};

/**
 * Whether a page shows an incident about one of its rows: those of people, those that were published on it, and, if it shows automatic
 * ones immediately, those that were not over when it began to.
 */
export function isShownOn<Instant extends Date | string>(
  { id, automaticDelay, automaticSince }: PublishingPage<Instant>,
  { automatic, publishedOn, resolvedAt }: Publishable<Instant>,
): boolean {
  if (!automatic || publishedOn.includes(id)) return true;
  if (automaticDelay !== 0) return false;
  return automaticSince === null || resolvedAt === null || resolvedAt > automaticSince;
}

/** What a delay in minutes means. */
export function shownAfter(delay: number | null): AutomaticIncidents {
  if (delay === 0) return SHOWN_IMMEDIATELY;
  return delay === null ? { show: 'manually', afterMinutes: null } : { show: 'after', afterMinutes: delay };
}
