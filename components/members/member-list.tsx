import { ConfirmButton } from '@/components/ui/confirm-button';
import { DataTable } from '@/components/ui/data-table';
import { Moment } from '@/components/ui/time/moment';
import type { Member, MemberRole } from '@/lib/schemas/people';
import { formatFactorReset, MEMBER_REMOVAL, OWNERSHIP_TRANSFER } from './consequences';
import { RoleSelect } from './role-select';
import { ROLE_TEXTS } from './role-texts';

const CELL = 'px-3 py-2 align-middle max-md:p-0';
const ROW =
  'border-b border-line last:border-0 max-md:grid max-md:grid-cols-[1fr_auto] max-md:items-center max-md:gap-x-3 max-md:gap-y-1.5 max-md:px-3 max-md:py-3';

/** What the reader may do with members. */
type MemberActions = {
  /** The roles that the reader may assign and remove. */
  roles: readonly MemberRole[];
  change: (id: string, role: string) => Promise<string | null>;
  remove: (id: string) => Promise<string | null>;
  /** Only for owners. `isMailOn`: whether the member is notified. */
  resetFactor?: { run: (id: string) => Promise<string | null>; isMailOn: boolean };
  /** Only for owners. */
  transferOwnership?: (id: string) => Promise<string | null>;
};

type Props = {
  members: Member[];
  /** The IDs of those who have a second factor; absent if the reader may not know. */
  holders?: ReadonlySet<string>;
  /** The reader's own id. */
  ownId: string;
  organizationName: string;
  now: string;
  /** Absent if the reader may not change members. */
  actions?: MemberActions;
};

/** The members of the organization. */
export function MemberList({ members, holders, ownId, organizationName, now, actions }: Props) {
  return (
    <DataTable
      cardsBelow="md"
      fitsContent
      columns={[
        { label: 'Member' },
        { label: 'Role', className: 'w-36' },
        holders ? { label: 'Second factor', className: 'w-36' } : null,
        { label: 'Member since', className: 'w-40' },
        { label: 'Last seen', className: 'w-40' },
        actions ? { label: 'Actions', className: 'w-56', isHidden: true } : null,
      ]}
    >
      {members.map((member) => (
        <MemberRow
          key={member.id}
          member={member}
          isSelf={member.id === ownId}
          hasFactor={holders?.has(member.id)}
          organizationName={organizationName}
          now={now}
          actions={actions}
        />
      ))}
    </DataTable>
  );
}

type RowProps = Pick<Props, 'organizationName' | 'now' | 'actions'> & {
  member: Member;
  isSelf: boolean;
  hasFactor?: boolean;
};

function MemberRow({ member, isSelf, hasFactor, organizationName, now, actions }: RowProps) {
  const { id, email, name, role, createdAt, lastSeenAt } = member;
  const mayChange = actions?.roles.includes(role) ? actions : undefined;
  return (
    <tr className={ROW}>
      <th scope="row" className={`${CELL} min-w-0 text-left font-normal`}>
        <span className="font-medium break-all">{name ?? email}</span>
        {isSelf ? <span className="ml-1.5 rounded bg-sunken px-1.5 text-xs text-muted">you</span> : null}
        {name ? <span className="block text-xs break-all text-muted">{email}</span> : null}
      </th>
      <td className={CELL}>
        {mayChange ? (
          <RoleSelect
            email={email}
            role={role}
            roles={mayChange.roles}
            change={mayChange.change.bind(null, id)}
          />
        ) : (
          ROLE_TEXTS[role].label
        )}
      </td>
      {hasFactor === undefined ? null : (
        <td className={CELL}>
          <FactorCell
            email={email}
            hasFactor={hasFactor}
            reset={isSelf ? undefined : resetOf(mayChange, id)}
          />
        </td>
      )}
      <td className={`${CELL} text-muted max-md:hidden`}>
        <Moment at={createdAt} now={now} />
      </td>
      <td className={`${CELL} text-muted max-md:text-xs`}>
        <span className="md:sr-only">Seen </span>
        {lastSeenAt ? <Moment at={lastSeenAt} now={now} /> : 'not recently'}
      </td>
      {actions ? (
        <td className={CELL}>
          <div className="flex flex-wrap justify-end gap-2">
            {mayChange?.transferOwnership && role !== 'owner' ? (
              <ConfirmButton
                tone="quiet"
                label={`Transfer ownership to ${email}`}
                title={`Transfer ${organizationName} to ${email}?`}
                description={OWNERSHIP_TRANSFER}
                confirm="Transfer ownership"
                action={mayChange.transferOwnership.bind(null, id)}
              >
                Transfer
              </ConfirmButton>
            ) : null}
            {mayChange && !isSelf ? (
              <ConfirmButton
                label={`Remove ${email}`}
                title={`Remove ${email}?`}
                description={MEMBER_REMOVAL}
                confirm="Remove"
                action={mayChange.remove.bind(null, id)}
              >
                Remove
              </ConfirmButton>
            ) : null}
          </div>
        </td>
      ) : null}
    </tr>
  );
}

function resetOf(actions: MemberActions | undefined, id: string): FactorCellProps['reset'] {
  const reset = actions?.resetFactor;
  return reset && { run: reset.run.bind(null, id), isMailOn: reset.isMailOn };
}

type FactorCellProps = {
  email: string;
  hasFactor: boolean;
  reset?: { run: () => Promise<string | null>; isMailOn: boolean };
};

/** Whether a member has a second factor, and, for owners, a button for those who lost it. */
function FactorCell({ email, hasFactor, reset }: FactorCellProps) {
  const label = <span className="md:sr-only">Second factor: </span>;
  if (!hasFactor) {
    return (
      <span className="text-muted max-md:text-xs">
        {label}
        none
      </span>
    );
  }
  return (
    <span className="flex items-center gap-2">
      <span className="max-md:text-xs">{label}on</span>
      {reset ? (
        <ConfirmButton
          tone="quiet"
          label={`Reset the second factor of ${email}`}
          title={`Reset the second factor of ${email}?`}
          description={formatFactorReset(reset)}
          confirm="Reset second factor"
          action={reset.run}
        >
          Reset
        </ConfirmButton>
      ) : null}
    </span>
  );
}
