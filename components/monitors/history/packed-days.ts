import type { DayBar } from '@/lib/schemas/monitor/stats';

/** Consecutive days in few bytes: React walks every field of what a component of the browser gets, and sends each with its name. */
export type PackedDays = {
  /** Status, uptime, and downtime of each day; without data, the first two are empty. */
  days: string;
  /** The first day. */
  from: string;
  /** What was measured of corrected days, by their place. */
  measured: Record<number, DayBar['measured']>;
};

const DAY_MS = 86_400_000;
const STATUSES = ['operational', 'degraded', 'down'] as const satisfies DayBar['status'][];

/** Packs consecutive days. */
export function packDays(days: readonly DayBar[]): PackedDays {
  return {
    days: days
      .map(({ status, uptimePercentage, downtime }) =>
        [status ?? '', uptimePercentage ?? '', downtime].join(','),
      )
      .join(' '),
    from: days[0]?.date ?? '',
    measured: Object.fromEntries(
      days.flatMap(({ measured }, place) => (measured === undefined ? [] : [[place, measured]])),
    ),
  };
}

/** The days that were packed. */
export function unpackDays({ days, from, measured }: PackedDays): DayBar[] {
  if (days === '') return [];
  return days.split(' ').map((day, place) => {
    const [status, uptime = '', downtime] = day.split(',');
    const corrected = measured[place];
    return {
      date: new Date(Date.parse(from) + place * DAY_MS).toISOString().slice(0, 10),
      status: STATUSES.find((each) => each === status) ?? null,
      uptimePercentage: uptime === '' ? null : Number(uptime),
      downtime: Number(downtime),
      ...(corrected && { measured: corrected }),
    };
  });
}
