/** How many days the bars and the uptime of a row can cover, today included. */
export const UPTIME_DAYS = [30, 60, 90] as const;
export type UptimeDays = (typeof UPTIME_DAYS)[number];

export const DEFAULT_UPTIME_DAYS: UptimeDays = 90;

/** The days that fit on the screen of a phone. */
export const RECENT_DAYS = 30;

/** The choice with this text, or the default. */
export function readUptimeDays(text: string): UptimeDays {
  return UPTIME_DAYS.find((days) => String(days) === text) ?? DEFAULT_UPTIME_DAYS;
}
