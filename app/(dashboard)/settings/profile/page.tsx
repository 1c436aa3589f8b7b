import type { Metadata } from 'next';
import { EmailForm } from '@/components/profile/email-form';
import { FactorSection } from '@/components/profile/factor-section';
import { PasswordForm, ProfileForm } from '@/components/profile/profile-form';
import { Section } from '@/components/profile/section';
import { SessionList } from '@/components/profile/session-list';
import { TestMailButton } from '@/components/profile/test-mail-button';
import { readMailPreferences } from '@/lib/domain/people/mail-preferences';
import { readSecondFactor } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { listSessions } from '@/lib/domain/people/sessions';
import { formatBrowser } from '@/lib/web/auth/format-browser';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { listTimeZones } from '../../maintenance/time-zones';
import { readRuleChoices } from '../../notifications/read-rule-choices';
import {
  changePasswordAction,
  endOthersAction,
  endSessionAction,
  removeFactorAction,
  renewCodesAction,
  saveEmailsAction,
  saveProfileAction,
  sendTestMailAction,
} from './actions';

export const metadata: Metadata = { title: 'Profile' };

export default async function ProfilePage() {
  const { id: own, ctx, userId, email, name, organizationName } = await requireSession();
  const [sessions, ruleChoices, preferences, factor] = await Promise.all([
    listSessions(ctx, userId),
    readRuleChoices(ctx),
    readMailPreferences(ctx, userId),
    readSecondFactor(ctx, userId),
  ]);
  const lines = sessions
    .map(({ id, userAgent, address, lastSeenAt, createdAt }) => ({
      id,
      browser: formatBrowser(userAgent),
      address,
      lastSeenAt: lastSeenAt.toISOString(),
      createdAt: createdAt.toISOString(),
      isThis: id === own,
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
  return (
    <div className="flex flex-col gap-8 pt-2">
      <Section id="profile" title="Profile" lead="Your name and address.">
        <ProfileForm name={name} email={email} save={saveProfileAction} />
      </Section>
      <Section id="email" title="Email" lead={`What you receive from ${organizationName}.`}>
        <div className="flex flex-col gap-6">
          <EmailForm
            {...preferences}
            ruleChoices={ruleChoices}
            timeZones={listTimeZones(preferences.digestTimeZone ?? undefined)}
            isMailOn={ctx.mail.isOn}
            save={saveEmailsAction}
          />
          <TestMailButton email={email} send={ctx.mail.isOn ? sendTestMailAction : null} />
        </div>
      </Section>
      <Section id="password" title="Password" lead="Changing it ends your other sessions.">
        <PasswordForm email={email} change={changePasswordAction} />
      </Section>
      <Section
        id="second-factor"
        title="Second factor"
        lead="A code of an app on your phone, in addition to your password."
      >
        <FactorSection
          since={factor.since?.toISOString() ?? null}
          recoveryCodesLeft={factor.recoveryCodesLeft}
          now={ctx.clock.now().toISOString()}
          renewCodes={renewCodesAction}
          remove={removeFactorAction}
        />
      </Section>
      <Section id="sessions" title="Sessions" lead="The browsers in which you are signed in.">
        <SessionList
          sessions={lines}
          now={ctx.clock.now().toISOString()}
          endOne={endSessionAction}
          endOthers={endOthersAction}
        />
      </Section>
    </div>
  );
}
