import { field, whole } from './field';
import { readSchedule, scheduleOutput, scheduleSchema, writeSchedule } from './schedule';

/** Seconds of `period`, and `MAX_PERIOD` of `grace`, too. */
export const MIN_PERIOD = 60;
export const MAX_PERIOD = 366 * 86_400;

/** The fields of monitors that a job calls: when, and how late it may be. */
export const CALL_FIELDS = {
  period: field(
    whole(MIN_PERIOD, MAX_PERIOD)
      .nullable()
      .meta({
        description:
          'Seconds in which a job calls again, 60 to 31622400 (366 days). A heartbeat has either a period or a schedule',
        examples: [86_400],
      }),
    {
      default: null,
      group: 'calls',
      form: {
        section: 'schedule',
        label: 'Period',
        unit: 's',
        hint: 'Seconds between two calls, at least 60.',
      },
    },
  ),
  schedule: field(scheduleSchema, {
    output: scheduleOutput,
    default: null,
    group: 'calls',
    write: writeSchedule,
    read: readSchedule,
    form: {
      section: 'schedule',
      control: 'cron',
      label: 'Schedule',
      placeholder: '30 3 * * * Europe/Berlin',
      hint: 'Instead of a period: a cron expression, followed by a time zone unless it is UTC.',
    },
  }),
  grace: field(
    whole(0, MAX_PERIOD).describe(
      'Seconds that a call of a job may be late, and that a run may take whose start was reported (then at least 60)',
    ),
    {
      default: 3600,
      group: 'calls',
      form: { section: 'schedule', label: 'Grace', unit: 's', hint: 'How late a call may be.' },
    },
  ),
};
