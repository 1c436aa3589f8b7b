import Link from 'next/link';
import { EmptyNote, Section } from '@/components/ui/section';
import type { Monitor } from '@/lib/schemas/monitor';
import { type Standing, StandingBadge, type StandingFields, standingOf } from '../standing-badge';
import { formatMemberRule } from './rule-texts';

type Member = StandingFields & { id: string; name: string };
type Props = { monitor: Monitor; members: readonly Member[] };

const COUNTING: readonly Standing[] = ['operational', 'degraded', 'down'];

/** The members of a group with their status, and how many of them must be up. */
export function GroupPanel({ monitor, members }: Props) {
  const counting = members.filter((member) => COUNTING.includes(standingOf(member)));
  const up = counting.filter((member) => standingOf(member) !== 'down');
  const ignored = members.length - counting.length;
  return (
    <Section title="Members">
      <p className="text-muted">
        {up.length} of {counting.length} up. {formatMemberRule(monitor)}.
        {ignored > 0 ? ` ${ignored} ${ignored === 1 ? 'does' : 'do'} not count now.` : ''}
      </p>
      {members.length === 0 ? (
        <EmptyNote>No members. Edit this group to add some.</EmptyNote>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
          {members.map((member) => (
            <li key={member.id} className="flex items-center justify-between gap-3 px-3 py-2">
              <Link
                prefetch={false}
                href={`/monitors/${member.id}`}
                className="touch inline-block min-w-0 truncate font-medium hover:text-accent"
                title={member.name}
              >
                {member.name}
              </Link>
              <StandingBadge standing={standingOf(member)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
