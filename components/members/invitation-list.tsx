import { ConfirmButton } from '@/components/ui/confirm-button';
import { Expiry } from '@/components/ui/time/period';
import type { Invitation, MemberRole } from '@/lib/schemas/people';
import { INVITATION_REVOCATION } from './consequences';
import { ROLE_TEXTS } from './role-texts';

type Props = {
  invitations: Invitation[];
  now: string;
  /** The roles whose invitations the reader may revoke. */
  roles: readonly MemberRole[];
  revoke: (id: string) => Promise<string | null>;
};

/** The pending invitations. */
export function InvitationList({ invitations, now, roles, revoke }: Props) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {invitations.map(({ id, email, role, invitedBy, expiresAt }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5">
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-medium break-all">{email}</p>
            <p className="text-xs wrap-anywhere text-muted">
              {ROLE_TEXTS[role].label}, invited by {invitedBy ?? 'an API key'},{' '}
              <Expiry at={expiresAt} now={now} />
            </p>
          </div>
          {roles.includes(role) ? (
            <ConfirmButton
              label={`Revoke the invitation for ${email}`}
              title={`Revoke the invitation for ${email}?`}
              description={INVITATION_REVOCATION}
              confirm="Revoke"
              action={revoke.bind(null, id)}
            >
              Revoke
            </ConfirmButton>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
