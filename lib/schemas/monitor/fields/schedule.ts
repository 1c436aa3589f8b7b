import { z } from 'zod';
import { type CronSchedule, findCronProblem } from '@/lib/checks/heartbeat/cron';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { text } from '@/lib/schemas/text';

const MAX_CRON = 100;
const MAX_ZONE = 64;
const CRON = 'Five fields: minute, hour, day of month, month, day of week';
const ZONE = 'IANA time zone name; the expression follows its local time across daylight saving changes';

const cronText = text(1, MAX_CRON).superRefine((cron, context) => {
  const message = findCronProblem(cron);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

/** When a job is expected to call; null if it has a period. */
export const scheduleSchema = z
  .strictObject(
    {
      cron: cronText.meta({ description: CRON, examples: ['30 3 * * *'] }),
      timeZone: text(1, MAX_ZONE)
        .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
        .default('UTC')
        .meta({ description: ZONE, examples: ['Europe/Berlin'] }),
    },
    'must be an object with cron and timeZone, or null',
  )
  .nullable()
  .meta({
    description: 'When a job is expected to call, instead of a period',
    examples: [{ cron: '30 3 * * *', timeZone: 'Europe/Berlin' }],
  });

/** The same as it is returned. */
export const scheduleOutput = z
  .strictObject({
    cron: z
      .string()
      .max(MAX_CRON)
      .meta({ description: CRON, examples: ['30 3 * * *'] }),
    timeZone: z
      .string()
      .max(MAX_ZONE)
      .meta({ description: ZONE, examples: ['Europe/Berlin'] }),
  })
  .nullable();

/** The stored form of a schedule. */
export function writeSchedule(schedule: CronSchedule | null): string | null {
  return schedule === null ? null : JSON.stringify(schedule);
}

/** Reads what `writeSchedule` stored; null if it is damaged. */
export function readSchedule(stored: unknown): CronSchedule | null {
  if (typeof stored !== 'string') return null;
  try {
    return scheduleOutput.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}
