import type { Metadata } from 'next';
import { LEAVING } from '@/components/members/consequences';
import { InvitationList } from '@/components/members/invitation-list';
import { InviteForm } from '@/components/members/invite-form';
import { MemberList } from '@/components/members/member-list';
import { ResetForm } from '@/components/members/reset-form';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { SettingsSection } from '@/components/ui/settings-section';
import { permits } from '@/lib/domain/context/permissions';
import { listAssignableRoles } from '@/lib/domain/members/authority';
import { listInvitations } from '@/lib/domain/members/invitations';
import { listMembers } from '@/lib/domain/members/read-members';
import { readFactorHolders } from '@/lib/domain/members/require-second-factor';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { isPasswordSignInOn } from '@/lib/web/http/sign-in/password-sign-in';
import { refreshAction } from '../../actions';
import {
  changeRoleAction,
  inviteAction,
  leaveAction,
  removeMemberAction,
  resetFactorAction,
  resetPasswordAction,
  revokeInvitationAction,
  transferOwnershipAction,
} from './actions';

export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage() {
  const { ctx, organizationName } = await requireSession();
  const manages = permits(ctx, 'member.change');
  const [members, invitations, holders] = await Promise.all([
    listMembers(ctx),
    manages ? listInvitations(ctx) : [],
    permits(ctx, 'member.read-second-factor') ? readFactorHolders(ctx) : null,
  ]);
  const roles = listAssignableRoles(ctx.actor);
  const ownId = ctx.actor.kind === 'user' ? ctx.actor.userId : '';
  const resettable =
    isPasswordSignInOn() && permits(ctx, 'member.reset-password')
      ? members.filter(({ id, role }) => id !== ownId && roles.includes(role))
      : [];
  const now = ctx.clock.now().toISOString();
  return (
    <>
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <SettingsSection title="Members" isWide>
        <MemberList
          members={members}
          holders={holders ?? undefined}
          ownId={ownId}
          organizationName={organizationName}
          now={now}
          actions={
            manages
              ? {
                  roles,
                  change: changeRoleAction,
                  remove: removeMemberAction,
                  resetFactor: permits(ctx, 'member.reset-second-factor')
                    ? { run: resetFactorAction, isMailOn: ctx.mail.isOn }
                    : undefined,
                  transferOwnership: permits(ctx, 'organization.transfer')
                    ? transferOwnershipAction
                    : undefined,
                }
              : undefined
          }
        />
      </SettingsSection>
      {manages ? (
        <Invitations invitations={invitations} roles={roles} now={now} />
      ) : (
        <p className="text-muted">Only admins and owners can invite, change, and remove members.</p>
      )}
      {resettable.length > 0 ? (
        <SettingsSection title="Reset a password">
          <ResetForm reset={resetPasswordAction} members={resettable} />
        </SettingsSection>
      ) : null}
      <SettingsSection title="Leave" lead={LEAVING}>
        <div>
          <ConfirmButton
            title={`Leave ${organizationName}?`}
            description={LEAVING}
            confirm="Leave"
            action={leaveAction}
          >
            Leave {organizationName}
          </ConfirmButton>
        </div>
      </SettingsSection>
    </>
  );
}

type InvitationsProps = Pick<Parameters<typeof InvitationList>[0], 'invitations' | 'roles' | 'now'>;

function Invitations({ invitations, roles, now }: InvitationsProps) {
  return (
    <SettingsSection title="Invite a member">
      <InviteForm invite={inviteAction} roles={roles} />
      {invitations.length > 0 ? (
        <>
          <h3 className="mt-2 text-sm font-semibold">Pending invitations</h3>
          <InvitationList invitations={invitations} now={now} roles={roles} revoke={revokeInvitationAction} />
        </>
      ) : null}
    </SettingsSection>
  );
}
