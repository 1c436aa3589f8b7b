import { countSubscribers, listNames } from '@/components/incidents/incident-texts';
import type { Audience } from '@/components/incidents/shown-on';
import type { Maintenance } from '@/lib/schemas/maintenance';

type Window = Pick<Maintenance, 'status' | 'rrule'>;

/** What deleting a window means, and who is notified of what: `audience` are the subscribers of pages that show its monitors. */
export function formatWindowDeletion(
  { status, rrule }: Window,
  audience: Pick<Audience, 'notified' | 'emails'>,
): string {
  return [
    ...(status === 'active' ? ['The window ends now, and alerts resume.'] : []),
    ...(status === 'active' || status === 'finished' || rrule !== null
      ? ['Its past occurrences are deleted too, including from status pages.']
      : []),
    ...(status === 'finished' && rrule === null
      ? ['If it was entered afterwards, its time counts as measured again.']
      : []),
    formatNotified(status, audience),
  ].join(' ');
}

function formatNotified(
  status: Window['status'],
  { emails, notified }: Pick<Audience, 'notified' | 'emails'>,
): string {
  if (status === 'finished' || emails === 0) return 'Nobody is notified.';
  const news = status === 'active' ? 'has ended' : 'is canceled';
  return `This notifies ${countSubscribers(emails)} of ${listNames(notified)} that it ${news}. Subscribers who chose other systems are not notified.`;
}
