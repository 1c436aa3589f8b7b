import { RefreshCw } from 'lucide-react';
import type { ActionProblem } from '@/components/ui/action-result';
import { CodeBlock, TitledCode } from '@/components/ui/code-block';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { Fact, Facts, Fold } from '@/components/ui/fold';
import { Section } from '@/components/ui/section';
import { LocalTime, Moment } from '@/components/ui/time/moment';
import type { HeartbeatView } from '@/lib/domain/monitors/heartbeats/read-heartbeat';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Monitor } from '@/lib/schemas/monitor';
import { formatMs } from '../format-numbers';
import { formatUrlReplacement } from './consequences';
import { formatGrace, formatPlan } from './plan-texts';

type Props = {
  monitor: Monitor;
  heartbeat: HeartbeatView;
  /** `[hidden]` for those who may not change the monitor. */
  url: string;
  /** Replaces the URL; null for those who may not. */
  rotate: (() => Promise<ActionProblem>) | null;
  now: Date;
};

/** The calls of a job, the URL for them, and how to call it. */
export function HeartbeatPanel({ monitor, heartbeat, url, rotate, now }: Props) {
  const isInUse = heartbeat.calledAt !== null;
  return (
    <Section
      title="Heartbeat"
      aside={
        rotate ? (
          <ConfirmButton
            icon={<RefreshCw />}
            tone="quiet"
            title="Replace this URL?"
            description={formatUrlReplacement(heartbeat)}
            confirm="Replace URL"
            action={rotate}
          >
            Replace URL
          </ConfirmButton>
        ) : null
      }
    >
      <Facts className="grid-cols-2 sm:grid-cols-5">
        <HeartbeatFacts monitor={monitor} heartbeat={heartbeat} now={now} />
      </Facts>
      {url === HIDDEN ? (
        <p className="text-muted">Only members who can edit this monitor see its heartbeat URL.</p>
      ) : (
        <HowToCall url={url} monitor={monitor} isInUse={isInUse} />
      )}
    </Section>
  );
}

type HowToCallProps = Pick<Props, 'url' | 'monitor'> & { isInUse: boolean };

function HowToCall({ url, monitor, isInUse }: HowToCallProps) {
  return (
    <>
      <CodeBlock text={url} label="Copy heartbeat URL" />
      {isInUse ? null : (
        <p className="text-muted">
          Call this URL each time the job has run. The monitor is pending until the first call.
        </p>
      )}
      <Fold title="How to call it" hint="curl, crontab, exit code, output, PowerShell" isOpen={!isInUse}>
        {listCallSamples(url, cronOf(monitor)).map(({ title, text }) => (
          <TitledCode key={title} title={title} text={text} label={`Copy: ${title}`} />
        ))}
        <p className="text-xs text-muted">
          GET, HEAD, POST and PUT work. The body is the output of the job. <code>/fail</code> reports a
          failure, <code>/start</code> the start of a run, and
          <code> /0</code> to <code>/255</code> its exit code.
        </p>
      </Fold>
    </>
  );
}

const HOUR = 3600;
const DAY = 86_400;

/** A way to call a heartbeat, as code to copy. */
type CallSample = { title: string; text: string };

/** Ways to call a heartbeat from a job; `cron` is when a line of a crontab runs. */
function listCallSamples(url: string, cron: string): CallSample[] {
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
function cronOf({ schedule, period }: Pick<Monitor, 'schedule' | 'period'>): string {
  if (schedule !== null) return schedule.cron;
  if (period === null || period < HOUR) return '*/5 * * * *';
  return period < DAY ? '0 * * * *' : '30 3 * * *';
}

type HeartbeatFactsProps = { monitor: Monitor; heartbeat: HeartbeatView; now: Date };

/** The calls of a job at a glance, in place of the facts of checks. */
function HeartbeatFacts({ monitor, heartbeat, now }: HeartbeatFactsProps) {
  const { calledAt } = heartbeat;
  const { lastResponseTime } = monitor;
  return (
    <>
      <Fact term="Last heartbeat">
        {calledAt === null ? 'Never' : <Moment at={calledAt.toISOString()} now={now.toISOString()} />}
      </Fact>
      <Fact term={heartbeat.lateSince ? 'Late since' : 'Next expected by'}>
        <DeadlineFact heartbeat={heartbeat} now={now} />
      </Fact>
      <Fact term="Last run">{formatMs(lastResponseTime)}</Fact>
      <Fact term="Expected">{formatPlan(monitor)}</Fact>
      <Fact term="Grace" className="max-sm:col-span-2">
        {formatGrace(monitor)}
      </Fact>
    </>
  );
}

function DeadlineFact({
  heartbeat: { deadlineAt, lateSince, runStartedAt },
  now,
}: Omit<HeartbeatFactsProps, 'monitor'>) {
  if (lateSince) {
    return (
      <span className="text-bad">
        <LocalTime at={lateSince.toISOString()} now={now.toISOString()} />
      </span>
    );
  }
  if (deadlineAt === null) return '–';
  return (
    <>
      <LocalTime at={deadlineAt.toISOString()} now={now.toISOString()} />
      {runStartedAt ? <span className="font-normal text-muted"> (running)</span> : null}
    </>
  );
}
