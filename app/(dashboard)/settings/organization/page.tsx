import type { Metadata } from 'next';
import { EmailOffNote } from '@/components/mail-server/email-off-note';
import { ORGANIZATION_DELETION } from '@/components/organization/consequences';
import { FactorRequirementForm } from '@/components/organization/factor-requirement-form';
import { DeleteForm, NameForm } from '@/components/organization/name-form';
import { ReminderForm } from '@/components/organization/reminder-form';
import { SettingsSection } from '@/components/ui/settings-section';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import { formatElapsed } from '@/lib/core/time/duration';
import { permits } from '@/lib/domain/context/permissions';
import { readFactorRequirement } from '@/lib/domain/members/require-second-factor';
import { readReminders } from '@/lib/domain/organizations/reminders';
import { MAX_REMINDERS } from '@/lib/schemas/incidents/reminder-limits';
import { requireSession } from '@/lib/web/http/dashboard-session';
import {
  changeRemindersAction,
  deleteOrganizationAction,
  renameAction,
  requireFactorAction,
} from './actions';

export const metadata: Metadata = { title: 'Organization' };

export default async function OrganizationPage() {
  const { ctx, organizationName } = await requireSession();
  const [{ reminderMinutes }, factorFrom] = await Promise.all([
    readReminders(ctx),
    readFactorRequirement(ctx),
  ]);
  const now = ctx.clock.now();
  return (
    <>
      <SettingsSection title="Organization" lead="Its name, and its ID in the API.">
        {permits(ctx, 'organization.rename') ? (
          <NameForm save={renameAction} name={organizationName} submit="Rename" />
        ) : (
          <p className="font-medium">{organizationName}</p>
        )}
        <p className="font-mono text-xs text-muted">{ctx.organizationId}</p>
      </SettingsSection>
      <SettingsSection
        title="Reminders"
        lead={<RemindersLead isMailOn={ctx.mail.isOn} maySetUp={permits(ctx, 'mail-server.change')} />}
      >
        {permits(ctx, 'organization.change-reminders') ? (
          <ReminderForm save={changeRemindersAction} minutes={reminderMinutes} />
        ) : (
          <p className="font-medium">
            {reminderMinutes === null ? 'Off' : `Every ${formatElapsed(reminderMinutes * 60_000)}`}
          </p>
        )}
      </SettingsSection>
      <SettingsSection
        title="Second factor"
        lead={
          <>
            Once required, members without one must set it up before they can continue. API keys are not
            affected. Admins and owners can see who has none under{' '}
            <TextLink href="/settings/members">Members</TextLink>.
          </>
        }
      >
        <p className="font-medium">
          {factorFrom === null ? (
            'Optional'
          ) : factorFrom <= now ? (
            'Required'
          ) : (
            <>
              Required <Moment at={factorFrom.toISOString()} now={now.toISOString()} as="until" />
            </>
          )}
        </p>
        {permits(ctx, 'organization.require-second-factor') ? (
          <FactorRequirementForm save={requireFactorAction} isRequired={factorFrom !== null} />
        ) : null}
      </SettingsSection>
      <SettingsSection title="Leave or transfer ownership">
        <p className="text-muted">
          You can do both under <TextLink href="/settings/members">Members</TextLink>.
        </p>
      </SettingsSection>
      {permits(ctx, 'organization.delete') ? <DeleteSection organizationName={organizationName} /> : null}
    </>
  );
}

function DeleteSection({ organizationName }: { organizationName: string }) {
  return (
    <SettingsSection title={`Delete ${organizationName}`} lead={ORGANIZATION_DELETION}>
      <DeleteForm remove={deleteOrganizationAction} name={organizationName} />
    </SettingsSection>
  );
}

function RemindersLead({ isMailOn, maySetUp }: { isMailOn: boolean; maySetUp: boolean }) {
  return (
    <>
      While a monitor is down and nobody has acknowledged its incident, members who receive alerts by email
      are reminded, at most {MAX_REMINDERS} times.
      {isMailOn ? null : (
        <>
          {' '}
          <EmailOffNote maySetUp={maySetUp} /> Reminders start once it can.
        </>
      )}
    </>
  );
}
