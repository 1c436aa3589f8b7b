import type { Metadata } from 'next';
import { InvitationList } from '@/components/members/invitation-list';
import { InviteForm } from '@/components/members/invite-form';
import { MemberList } from '@/components/members/member-list';
import { ResetForm } from '@/components/members/reset-form';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { permits } from '@/lib/domain/context/permissions';
import { listAssignableRoles } from '@/lib/domain/members/authority';
import { listInvitations } from '@/lib/domain/members/invitations';
import { listMembers } from '@/lib/domain/members/read-members';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';
import {
  changeRoleAction,
  inviteAction,
  leaveAction,
  removeMemberAction,
  resetPasswordAction,
  revokeInvitationAction,
  transferOwnershipAction,
} from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage() {
  const { ctx, organizationName } = await requireSession();
  const manages = permits(ctx, 'member.change');
  const [members, invitations] = await Promise.all([listMembers(ctx), manages ? listInvitations(ctx) : []]);
  const roles = listAssignableRoles(ctx.actor);
  const ownId = ctx.actor.kind === 'user' ? ctx.actor.userId : '';
  const resettable = permits(ctx, 'member.reset-password')
    ? members.filter(({ id, role }) => id !== ownId && roles.includes(role))
    : [];
  const now = ctx.clock.now().toISOString();
  const transfer = permits(ctx, 'organization.transfer')
    ? { transferOwnership: transferOwnershipAction }
    : {};
  return (
    <div className="flex flex-col gap-6">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <section aria-labelledby="members-title" className="flex flex-col gap-3">
        <h2 id="members-title" className="text-base font-semibold">
          Members
        </h2>
        <MemberList
          members={members}
          ownId={ownId}
          organizationName={organizationName}
          now={now}
          {...(manages
            ? { actions: { roles, change: changeRoleAction, remove: removeMemberAction, ...transfer } }
            : {})}
        />
      </section>
      {manages ? (
        <section aria-labelledby="invite-title" className="flex flex-col gap-3">
          <h3 id="invite-title" className="text-sm font-semibold">
            Invite a member
          </h3>
          <InviteForm invite={inviteAction} roles={roles} />
          {invitations.length > 0 ? (
            <>
              <h3 className="mt-2 text-sm font-semibold">Pending invitations</h3>
              <InvitationList
                invitations={invitations}
                now={now}
                roles={roles}
                revoke={revokeInvitationAction}
              />
            </>
          ) : null}
        </section>
      ) : (
        <p className="text-muted">Only admins and owners can invite, change, and remove members.</p>
      )}
      {resettable.length > 0 ? (
        <section aria-labelledby="reset-title" className="flex flex-col gap-3">
          <h3 id="reset-title" className="text-sm font-semibold">
            Reset a password
          </h3>
          <ResetForm reset={resetPasswordAction} members={resettable} />
        </section>
      ) : null}
      <section aria-labelledby="leave-title" className="flex flex-col items-start gap-3">
        <h3 id="leave-title" className="text-sm font-semibold">
          Leave
        </h3>
        <p className="text-muted">
          You lose access to {organizationName} immediately. To rejoin, you need an invitation.
        </p>
        <ConfirmButton
          title={`Leave ${organizationName}?`}
          description="You lose access immediately. To rejoin, you need an invitation."
          confirm="Leave"
          action={leaveAction}
        >
          Leave {organizationName}
        </ConfirmButton>
      </section>
    </div>
  );
}
