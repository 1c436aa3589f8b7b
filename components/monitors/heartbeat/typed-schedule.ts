import type { CronSchedule } from '@/lib/checks/heartbeat/cron';

const UTC = 'UTC';

/** A schedule as the inputs of a cron expression and its time zone submit it: `30 3 * * *,Europe/Berlin`. */
export function showSchedule({ cron, timeZone }: CronSchedule): string {
  return `${cron},${timeZone}`;
}

/** What is in these inputs. A time zone that follows the five fields of the expression, as in the crontab of some systems, wins. */
export function splitSchedule(typed: string): CronSchedule {
  const [, text = typed, chosen = UTC] = /^(.*),([A-Za-z][\w+/-]*)$/s.exec(typed) ?? [];
  const [, cron = text.trim(), timeZone = chosen] = /^\s*(\S+(?:\s+\S+){4})\s+(\S+)\s*$/.exec(text) ?? [];
  return { cron, timeZone };
}
