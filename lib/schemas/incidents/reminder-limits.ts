/** Limits of reminders, apart from their schema, which browsers do not need. */

/** Bounds of the minutes between two reminders. */
export const REMINDER_MINUTES = { least: 5, most: 1440 };

/** Of one incident: an outage that nobody has acknowledged by then is not waiting for another email. */
export const MAX_REMINDERS = 50;
