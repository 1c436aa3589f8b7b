import { z } from 'zod';

/** Bounds of the minutes between two reminders. */
export const REMINDER_MINUTES = { least: 5, most: 1440 };

/** Of one incident: an outage that nobody has acknowledged by then is not waiting for another email. */
export const MAX_REMINDERS = 50;

const message = `must be ${REMINDER_MINUTES.least}–${REMINDER_MINUTES.most}`;

/** How often members are reminded of an incident that nobody has acknowledged. */
export const remindersSchema = z.strictObject({
  /** Null: never. */
  reminderMinutes: z
    .number('must be a number')
    .int('must be a whole number')
    .min(REMINDER_MINUTES.least, message)
    .max(REMINDER_MINUTES.most, message)
    .nullable(),
});

export type Reminders = z.output<typeof remindersSchema>;
