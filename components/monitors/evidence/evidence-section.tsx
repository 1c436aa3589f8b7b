import type { ReactNode } from 'react';
import { EmptyNote, Section } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { CheckEvidence } from '@/lib/schemas/monitor/evidence';
import { PhaseBreakdown } from '../phases/phase-bar';
import { compareEvidence } from './compare-evidence';
import { ComparedPart } from './compared-part';

type Props = {
  /** What the first failed check of the last run saw; null if none failed. */
  failure: CheckEvidence | null;
  /** The last good response before it. */
  good: CheckEvidence | null;
  /** Whether bodies and header values are `[hidden]`. */
  isHidden: boolean;
  now: Date;
};

/** What the last failure saw, next to the last good response. Texts of the target are shown as text only. */
export function EvidenceSection({ failure, good, isHidden, now }: Props) {
  if (failure === null) {
    return (
      <Section title="Evidence">
        <EmptyNote>
          No failures in the last 30 days. The first failed check of an outage shows here what it saw.
        </EmptyNote>
      </Section>
    );
  }
  const parts = compareEvidence(failure, good);
  return (
    <Section title="Evidence" aside={<Legend failure={failure} good={good} now={now} />}>
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <div className="flex flex-col gap-2 px-3 py-2.5">
          <p className="font-medium text-bad wrap-anywhere">{failure.errorMessage ?? 'The check failed.'}</p>
          <PhaseBreakdown phases={failure.phases} />
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

/** When and where both were seen, in the colors of their lines. */
function Legend({ failure, good, now }: Pick<Props, 'good' | 'now'> & { failure: CheckEvidence }): ReactNode {
  const at = now.toISOString();
  return (
    <p className="flex flex-wrap gap-x-3 text-xs text-muted">
      <span>
        <span className="font-mono text-bad">+ </span>
        First failure in <span className="font-mono">{failure.region ?? 'a former region'}</span>,{' '}
        <Moment at={failure.checkedAt} now={at} />
      </span>
      {good === null ? (
        <span>No good response to compare it with</span>
      ) : (
        <span>
          <span className="font-mono text-good">− </span>
          Last good response, <Moment at={good.checkedAt} now={at} />
        </span>
      )}
    </p>
  );
}
