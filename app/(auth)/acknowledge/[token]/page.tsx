import type { Metadata } from 'next';
import Link from 'next/link';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { LinkForm } from '@/components/auth/link-form';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import {
  isOffered,
  type MessageIncident,
  readMessageIncident,
} from '@/lib/domain/incidents/acknowledge/acknowledge-from-message';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink } from '../../read-link';
import { acknowledgeFromMessageAction } from '../actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Acknowledge', referrer: 'no-referrer' };

/** Has a button, because chat products follow links to preview them, but press no buttons. */
export default async function AcknowledgeFromMessagePage({ params }: PageProps<'token'>) {
  const { token } = await params;
  const session = await findVisitorSession();
  const reading = readMessageIncident(getWeb().services, token, { userId: session?.userId ?? null });
  const { found: incident, reason } = await readLink(reading);
  if (incident === null) {
    return (
      <AuthCard title="This link is not valid">
        <DeadLink reason={reason} href="/incidents" label="View incidents" />
      </AuthCard>
    );
  }
  const href = `/incidents/${incident.id}`;
  return (
    <AuthCard title={titleOf(incident)} lead={isOffered(incident) ? LEAD : undefined}>
      <div className="flex flex-col rounded-lg border border-line bg-surface px-3 py-2">
        <span className="font-medium wrap-anywhere">{incident.title}</span>
        <span className="text-muted wrap-anywhere">{formatState(incident)}</span>
      </div>
      {isOffered(incident) ? (
        <>
          <p className="text-muted wrap-anywhere">
            {incident.isMember
              ? `It will show ${session?.email}, as whom you are signed in.`
              : `It will show “someone in ${incident.readers}”. Sign in first to be named.`}
          </p>
          <LinkForm action={acknowledgeFromMessageAction} link={{ token }} label="Acknowledge" />
          <Link href={href} className="self-center text-muted underline underline-offset-2">
            View incident
          </Link>
        </>
      ) : (
        <ButtonLink size="large" href={href}>
          View incident
        </ButtonLink>
      )}
    </AuthCard>
  );
}

const LEAD =
  'This tells your team that somebody is on it, and ends reminders. Neither the status nor what the public sees changes.';

function titleOf(incident: MessageIncident): string {
  if (isOffered(incident)) return 'Acknowledge this incident?';
  if (incident.isResolved) return 'Already resolved';
  return incident.acknowledgedBy === null ? 'This link was already used' : 'Acknowledged';
}

function formatState({ isResolved, acknowledgedBy }: MessageIncident): string {
  const by = acknowledgedBy === null ? 'Not acknowledged' : `Acknowledged by ${acknowledgedBy}`;
  return isResolved ? `Resolved. ${by}` : by;
}
