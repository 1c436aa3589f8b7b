import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { LinkForm } from '@/components/auth/link-form';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { isMember, readMemberLink } from '@/lib/domain/people/mail-preferences';
import { type MemberLink, memberLinkSchema } from '@/lib/schemas/people';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink } from '../../read-link';
import { unsubscribeAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Unsubscribe', referrer: 'no-referrer' };

const NO_LINK: MemberLink = { organization: '', user: '', list: 'alerts', token: '' };

const TEXTS = {
  alerts: {
    question: 'Turn off alert emails?',
    effect: (name: string) =>
      `You will no longer receive alerts and reminders of ${name} by email. Other members still do.`,
    button: 'Turn off alert emails',
    title: 'Alert emails are off',
    done: (name: string) => `You no longer receive alerts and reminders of ${name}.`,
  },
  /** For addresses without an account. */
  outside: {
    question: 'Stop these alerts?',
    effect: (name: string) => `${name} will no longer send alerts to this address.`,
    button: 'Stop alerts',
    title: 'Alerts are stopped',
    done: (name: string) => `${name} no longer sends alerts to this address.`,
  },
  digest: {
    question: 'Turn off the weekly digest?',
    effect: (name: string) => `You will no longer receive the weekly digest of ${name}.`,
    button: 'Turn off the weekly digest',
    title: 'The weekly digest is off',
    done: (name: string) => `You no longer receive the weekly digest of ${name}.`,
  },
};

export default async function UnsubscribePage({ searchParams }: PageProps) {
  const link = memberLinkSchema.safeParse(await searchParams).data ?? NO_LINK;
  const { found, reason } = await readLink(readMemberLink(getWeb().services, link));
  if (found === null) {
    return (
      <AuthCard title="This link is not valid">
        <DeadLink reason={reason} href="/settings/profile" label="Open your profile" />
      </AuthCard>
    );
  }
  const { organizationName, alertMail, digestTimeZone } = found;
  const isOwn = isMember(link.user);
  const texts = isOwn ? TEXTS[link.list] : TEXTS.outside;
  if (link.list === 'alerts' ? alertMail : digestTimeZone !== null) {
    return (
      <AuthCard title={texts.question} lead={texts.effect(organizationName)}>
        <LinkForm action={unsubscribeAction} link={link} label={texts.button} />
      </AuthCard>
    );
  }
  if (!isOwn) return <AuthCard title={texts.title} lead={texts.done(organizationName)} />;
  return (
    <AuthCard
      title={texts.title}
      lead={`${texts.done(organizationName)} You can turn this on again in your profile.`}
    >
      <ButtonLink size="large" href="/settings/profile#email">
        Open your profile
      </ButtonLink>
    </AuthCard>
  );
}
