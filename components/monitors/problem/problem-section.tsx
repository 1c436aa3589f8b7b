import type { ReactNode } from 'react';
import type { RegionNames } from '@/components/monitors/regions/name-region';
import { Section } from '@/components/ui/section';
import type { Edit } from '@/lib/domain/audit/read-edits';
import type { Notified } from '@/lib/domain/incidents/read-notified';
import type { Vote } from '@/lib/domain/monitors/read-standings';
import type { Marker } from '@/lib/schemas/monitor/marker';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { ChangeList } from './change-list';
import { NotifiedList } from './notified-list';
import { VoteTable } from './vote-table';

type Props = {
  /** Empty for a monitor that no region checks. */
  votes: Vote[];
  /** The last check of each region. */
  latest: CheckResult[];
  names: RegionNames;
  markers: Marker[];
  edits: Edit[];
  /** Null without an incident. */
  notified: Notified | null;
  /** When the problem began. */
  since: Date;
  now: Date;
  /** What the last failed check saw. */
  children?: ReactNode;
};

/** What a person needs first while a monitor is down or degraded: where, what changed before, and who knows. */
export function ProblemSection(props: Props) {
  const { votes, latest, names, markers, edits, notified, since, now, children } = props;
  return (
    <>
      {votes.length === 0 ? null : (
        <Section title="Regions" gap="gap-2">
          <VoteTable votes={votes} latest={latest} names={names} now={now} />
        </Section>
      )}
      {children}
      <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-2">
        <Section title="What changed" gap="gap-2" className="min-w-0">
          <ChangeList markers={markers} edits={edits} since={since} now={now} />
        </Section>
        <Section title="Who was notified" gap="gap-2" className="min-w-0">
          <NotifiedList notified={notified} now={now} />
        </Section>
      </div>
    </>
  );
}
