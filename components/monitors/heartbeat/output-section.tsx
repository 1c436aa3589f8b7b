import { EmptyNote, Section } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import type { SeenBody } from '@/lib/checks/evidence';
import { capitalize } from '@/lib/core/text';
import type { LastOutputs } from '@/lib/domain/monitors/evidence/read-outputs';
import type { CheckEvidence } from '@/lib/schemas/monitor/evidence';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { evidenceHref } from '../monitor-href';

type Props = {
  id: string;
  view: MonitorView;
  outputs: LastOutputs;
  /** Whether texts are `[hidden]`. */
  isHidden: boolean;
  now: Date;
};

/** What a job wrote when it last failed and last succeeded, and at the chosen call. Shown as text only. */
export function OutputSection({ id, view, outputs: { chosen, failed, good }, isHidden, now }: Props) {
  const others = [failed, good].filter((output) => output !== null && output.id !== chosen?.id);
  const shown = [chosen, ...others].filter((output) => output !== null);
  if (shown.length === 0) {
    return (
      <Section title="Output">
        <EmptyNote>
          No output in the last 30 days. To see the output of a job here, send it as the body of its call.
        </EmptyNote>
      </Section>
    );
  }
  return (
    <Section
      title="Output"
      aside={
        chosen ? (
          <TextLink isAlone href={evidenceHref(id, { ...view, evidence: undefined })}>
            Show only the last
          </TextLink>
        ) : null
      }
    >
      {isHidden ? (
        <p className="text-xs text-muted">The output is hidden from viewers: it can contain secrets.</p>
      ) : null}
      {shown.map((output) => (
        <Output key={output.id} output={output} isChosen={output === chosen} now={now} />
      ))}
    </Section>
  );
}

/** It scrolls, also by keyboard. */
const FOCUSABLE = { tabIndex: 0, role: 'group', 'aria-label': 'Output of the job' };

type OutputProps = { output: CheckEvidence; isChosen: boolean; now: Date };

function Output({ output: { kind, body, checkedAt, errorMessage }, isChosen, now }: OutputProps) {
  const isFailure = kind === 'failure';
  return (
    <div
      className={`overflow-hidden rounded-lg border bg-surface ${isChosen ? 'border-accent ring-1 ring-accent' : 'border-line'}`}
    >
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 py-2.5">
        <span className={`mr-auto font-medium wrap-anywhere ${isFailure ? 'text-bad' : 'text-good'}`}>
          {isFailure ? `${capitalize(errorMessage ?? 'the job failed')}.` : 'The job succeeded.'}
        </span>
        <span className="text-xs text-muted">
          <Moment at={checkedAt} now={now.toISOString()} />
        </span>
      </p>
      {body?.text ? (
        <pre
          {...FOCUSABLE}
          className="max-h-80 overflow-y-auto border-t border-line bg-canvas px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
        >
          {body.text}
        </pre>
      ) : null}
      {body !== null && (body.text === null || body.truncated) ? (
        <p className="border-t border-line px-3 py-2 text-xs text-muted">{formatSize(body)}</p>
      ) : null}
    </div>
  );
}

/** What is not shown of an output that is too long, or not text. */
function formatSize({ text, size, type, encoding }: SeenBody): string {
  const bytes = size.toLocaleString('en-US');
  if (text !== null) return `Truncated: the output has at least ${bytes} bytes.`;
  const what = [type, encoding].filter((each) => each !== null).join(', ');
  return `${bytes} bytes of binary data${what === '' ? '' : `: ${what}`}.`;
}
