import type { ReactNode } from 'react';
import { RegionName } from '@/components/monitors/regions/region-names';
import { EmptyNote, Section } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import { capitalize } from '@/lib/core/text';
import type { ComparedEvidence } from '@/lib/domain/monitors/evidence/read-evidence';
import type { CheckEvidence } from '@/lib/schemas/monitor/evidence';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { evidenceHref } from '../monitor-href';
import { PhaseBreakdown } from '../phases/phase-bar';
import { compareEvidence } from './compare-evidence';
import { ComparedPart } from './compared-part';

type Props = {
  id: string;
  view: MonitorView;
  /** Null if no check failed. */
  compared: ComparedEvidence | null;
  /** Whether bodies and header values are `[hidden]`. */
  isHidden: boolean;
  now: Date;
};

/** What the last failure saw, or the chosen check, next to the last good response. Texts of the target are shown as text only. */
export function EvidenceSection({ id, view, compared, isHidden, now }: Props) {
  if (compared === null) {
    return (
      <Section title="Evidence">
        <EmptyNote>
          No failures in the last 30 days. The first failed check of an outage appears here with its response.
        </EmptyNote>
      </Section>
    );
  }
  const { seen, good } = compared;
  const isChosen = seen.id === view.evidence;
  const parts = compareEvidence(seen, good);
  return (
    <Section title="Evidence" aside={<Legend seen={seen} good={good} now={now} />}>
      <div
        className={`overflow-hidden rounded-lg border bg-surface ${isChosen ? 'border-accent ring-1 ring-accent' : 'border-line'}`}
      >
        <div className="flex flex-col gap-2 px-3 py-2.5">
          <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <span className={`mr-auto font-medium wrap-anywhere ${OUTCOMES[seen.kind].color}`}>
              {seen.errorMessage === null ? OUTCOMES[seen.kind].text : `${capitalize(seen.errorMessage)}.`}
            </span>
            {isChosen ? (
              <TextLink isAlone href={evidenceHref(id, { ...view, evidence: undefined })}>
                Show the last failure
              </TextLink>
            ) : null}
            {view.evidence !== undefined && !isChosen ? (
              <span className="text-xs text-muted">
                The selected check is no longer stored. This is the last failure.
              </span>
            ) : null}
          </p>
          <PhaseBreakdown phases={seen.phases} />
          {isHidden ? (
            <p className="text-xs text-muted">
              Bodies and most header values are hidden from viewers: they can contain secrets.
            </p>
          ) : null}
        </div>
        {parts.map((part) => (
          <ComparedPart key={part.title} part={part} isCompared={good !== null} />
        ))}
      </div>
    </Section>
  );
}

const OUTCOMES: Record<CheckEvidence['kind'], { text: string; place: string; color: string }> = {
  failure: { text: 'The check failed.', place: 'first failure from', color: 'text-bad' },
  recovery: { text: 'The check succeeded.', place: 'first success from', color: 'text-good' },
  good: { text: 'The check succeeded.', place: 'good response from', color: 'text-good' },
};

/** When and where both were seen. */
function Legend({ seen, good, now }: ComparedEvidence & Pick<Props, 'now'>): ReactNode {
  const at = now.toISOString();
  return (
    <p className="flex flex-wrap gap-x-3 text-xs text-muted">
      {good === null ? (
        <span>No earlier good response to compare with</span>
      ) : (
        <span>
          <strong className="font-medium text-ink">Before:</strong> last good response,{' '}
          <Moment at={good.checkedAt} now={at} />
        </span>
      )}
      <span>
        {good === null ? null : <strong className="font-medium text-ink">Now: </strong>}
        {good === null ? capitalize(OUTCOMES[seen.kind].place) : OUTCOMES[seen.kind].place}{' '}
        <span className="font-mono">
          {seen.region === null ? 'a former region' : <RegionName id={seen.region} isSentence />}
        </span>
        , <Moment at={seen.checkedAt} now={at} />
      </span>
    </p>
  );
}
