import { field, whole } from './field';
import { readSchedule, scheduleOutput, scheduleSchema, writeSchedule } from './schedule';

/** Seconds of `period`, and `MAX_PERIOD` of `grace`, too. */
export const MIN_PERIOD = 60;
export const MAX_PERIOD = 366 * 86_400;

/** Bounds in units that people read. */
const LIMITS = {
  least: (seconds: number) =>
    seconds === 0 ? 'must not be negative' : 'must be at least 1 minute (60 seconds)',
  most: () => 'must be at most 366 days',
};

/** The fields of monitors that a job calls: when, and how late it may be. */
export const CALL_FIELDS = {
  period: field(
    whole(MIN_PERIOD, MAX_PERIOD, LIMITS)
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
        control: 'duration',
        label: 'Period',
        hint: 'From one call to the next.',
        alternative: { name: 'schedule', label: 'The job calls', labels: ['Every', 'On a schedule'] },
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
      label: 'Cron expression',
      placeholder: '30 3 * * *',
      hint: 'Minute, hour, day of month, month, day of week, as in a crontab.',
    },
  }),
  grace: field(
    whole(0, MAX_PERIOD, LIMITS).describe(
      'Seconds that a call of a job may be late, and that a run may take whose start was reported (then at least 60)',
    ),
    {
      default: 3600,
      group: 'calls',
      form: {
        section: 'schedule',
        control: 'duration',
        label: 'Grace',
        hint: 'How late a call may be.',
        help: 'grace',
      },
    },
  ),
};
