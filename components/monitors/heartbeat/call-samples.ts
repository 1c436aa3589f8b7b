import type { Monitor } from '@/lib/schemas/monitor';

const HOUR = 3600;
const DAY = 86_400;

/** A way to call a heartbeat, as code to copy. */
export type CallSample = { title: string; text: string };

/** Ways to call a heartbeat from a job; `cron` is when a line of a crontab runs. */
export function listCallSamples(url: string, cron: string): CallSample[] {
  const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null';
  return [
    { title: 'At the end of a job', text: `${curl} ${url}` },
    { title: 'In a crontab, only if the job succeeds', text: `${cron} /path/to/job && ${curl} ${url}` },
    {
      title: 'Around a job, with its duration and exit code',
      text: [`${curl} ${url}/start`, '/path/to/job', `${curl} ${url}/$?`].join('\n'),
    },
    {
      title: 'With the output of the job, shown on this page',
      text: [
        'output=$(/path/to/job 2>&1); code=$?',
        `printf '%s' "$output" | tail -c 16000 | ${curl} --data-binary @- ${url}/$code`,
      ].join('\n'),
    },
    {
      title: 'In PowerShell',
      text: `Invoke-RestMethod -Uri ${url} -TimeoutSec 10 -MaximumRetryCount 5 -RetryIntervalSec 5`,
    },
  ];
}

/** The schedule of a monitor, or one like its period. */
export function cronOf({ schedule, period }: Pick<Monitor, 'schedule' | 'period'>): string {
  if (schedule !== null) return schedule.cron;
  if (period === null || period < HOUR) return '*/5 * * * *';
  return period < DAY ? '0 * * * *' : '30 3 * * *';
}
