import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { TurnOffAlerts } from '@/components/auth/turn-off-alerts';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { readMemberLink } from '@/lib/domain/people/mail-preferences';
import { memberLinkSchema } from '@/lib/schemas/people';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink } from '../../read-link';
import { turnOffAlertsAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Alert emails', referrer: 'no-referrer' };

export default async function UnsubscribePage({ searchParams }: PageProps) {
  const given = memberLinkSchema.safeParse(await searchParams);
  const link = given.data ?? { organization: '', user: '', token: '' };
  const { found, reason } = await readLink(readMemberLink(getWeb().services, link));
  if (found === null) {
    return (
      <AuthCard title="This link is not valid">
        <DeadLink reason={reason} href="/settings/profile" label="Open your profile" />
      </AuthCard>
    );
  }
  const { organizationName, alertMail } = found;
  if (!alertMail) {
    return (
      <AuthCard
        title="Alert emails are off"
        lead={`You no longer receive alerts and reminders of ${organizationName}. You can turn them on again in your profile.`}
      >
        <ButtonLink size="large" href="/settings/profile">
          Open your profile
        </ButtonLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="Turn off alert emails?"
      lead={`You will no longer receive alerts and reminders of ${organizationName} by email. Other members still do.`}
    >
      <TurnOffAlerts turnOff={turnOffAlertsAction} link={link} />
    </AuthCard>
  );
}
