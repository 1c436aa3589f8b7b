import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmailOffNote } from '@/components/mail-server/email-off-note';
import { IconLabel, type IconLabelStyle } from '@/components/ui/icon-label';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { Section } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';

type Channel = {
  status: 'off' | 'active' | 'failing';
  lastSentAt: Date | null;
  failure: { recipient: string; at: Date; error: string } | null;
  recipients: readonly { email: string; name: string | null }[];
  members: number;
};

/** `maySetUp`: whether the person may choose the mail server. */
type Props = { channel: Channel; now: string; maySetUp: boolean };

/** `children`: the addresses without an account. */
type ChannelProps = Props & { children?: ReactNode };

const STYLES: Record<Channel['status'], IconLabelStyle> = {
  off: { label: 'Not set up', Icon: CircleDashed, color: 'text-muted' },
  active: { label: 'Active', Icon: CircleCheck, color: 'text-good' },
  failing: { label: 'Failing', Icon: TriangleAlert, color: 'text-bad' },
};

/** Longer lists end with "and N more". */
const MAX_NAMES = 3;

/** Email to members as a channel: its status, who receives alerts, and where they choose. */
export function EmailChannel({ channel, now, maySetUp, children }: ChannelProps) {
  return (
    <Section title="Email" gap="gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2.5">
        <IconLabel {...STYLES[channel.status]} className="w-24" />
        <div className="min-w-0 flex-1 basis-64">
          <p className="wrap-anywhere">{formatRecipients(channel)}</p>
          <p className="text-sm text-muted wrap-anywhere">
            <Standing channel={channel} now={now} maySetUp={maySetUp} />
          </p>
        </div>
        <ButtonLink href="/settings/profile#email">Your email settings</ButtonLink>
      </div>
      {children}
    </Section>
  );
}

function formatRecipients({ recipients, members }: Channel): string {
  if (recipients.length === 0) return 'No member receives alerts.';
  const names = recipients.slice(0, MAX_NAMES).map(({ name, email }) => name ?? email);
  const left = recipients.length - names.length;
  const shown = left > 0 ? `${names.join(', ')} and ${left} more` : names.join(', ');
  return `Alerts go to ${recipients.length} of ${members} ${members === 1 ? 'member' : 'members'}: ${shown}.`;
}

function Standing({ channel: { status, lastSentAt, failure }, now, maySetUp }: Props) {
  if (status === 'off') {
    return <EmailOffNote maySetUp={maySetUp} />;
  }
  if (failure) {
    return (
      <>
        <Moment at={failure.at.toISOString()} now={now} />, to {failure.recipient}:{' '}
        <span className="font-mono text-xs">{failure.error}</span>
      </>
    );
  }
  if (lastSentAt === null) return 'No emails to members in the last 30 days.';
  return (
    <>
      Last email <Moment at={lastSentAt.toISOString()} now={now} />.
    </>
  );
}
