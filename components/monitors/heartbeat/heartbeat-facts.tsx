import { Fact } from '@/components/ui/fold';
import { LocalTime, Moment } from '@/components/ui/time/moment';
import type { HeartbeatView } from '@/lib/domain/monitors/heartbeats/read-heartbeat';
import type { Monitor } from '@/lib/schemas/monitor';
import { formatMs } from '../format-numbers';
import { formatGrace, formatPlan } from './plan-texts';

type Props = { monitor: Monitor; heartbeat: HeartbeatView; now: Date };

/** The calls of a job at a glance, in place of the facts of checks. */
export function HeartbeatFacts({ monitor, heartbeat, now }: Props) {
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

function DeadlineFact({ heartbeat: { deadlineAt, lateSince, runStartedAt }, now }: Omit<Props, 'monitor'>) {
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
