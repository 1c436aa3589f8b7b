import { RefreshCw } from 'lucide-react';
import type { ActionProblem } from '@/components/ui/action-result';
import { CodeBlock, TitledCode } from '@/components/ui/code-block';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { Facts, Fold } from '@/components/ui/fold';
import { Section } from '@/components/ui/section';
import type { HeartbeatView } from '@/lib/domain/monitors/heartbeats/read-heartbeat';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Monitor } from '@/lib/schemas/monitor';
import { cronOf, listCallSamples } from './call-samples';
import { HeartbeatFacts } from './heartbeat-facts';

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
            description="The current URL stops working at once. Until the job calls the new one, the monitor counts as late."
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
        <p className="text-muted">
          Only people who may change this monitor can see the URL that its job calls.
        </p>
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
          Call this URL whenever the job has run. The monitor is pending until the first call.
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
