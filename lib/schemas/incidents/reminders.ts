import { z } from 'zod';
import { REMINDER_MINUTES } from './reminder-limits';

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
