'use client';

import { startTransition, useActionState, useOptimistic } from 'react';
import type { MemberRole } from '@/lib/schemas/people';
import { ROLE_TEXTS } from './role-texts';

type Props = {
  email: string;
  role: MemberRole;
  /** The roles that the reader may assign. */
  roles: readonly MemberRole[];
  change: (role: string) => Promise<string | null>;
};

/** The role of a member. Choosing another one saves it; an error is shown below. */
export function RoleSelect({ email, role, roles, change }: Props) {
  const [shown, show] = useOptimistic(role);
  const [problem, send, isPending] = useActionState((_: string | null, to: MemberRole) => change(to), null);
  const choose = (to: MemberRole) =>
    startTransition(() => {
      show(to);
      send(to);
    });
  return (
    <span className="flex flex-col gap-1">
      <select
        aria-label={`Role of ${email}`}
        aria-busy={isPending}
        value={shown}
        onChange={(event) => {
          const chosen = roles.find((each) => each === event.target.value);
          if (chosen) choose(chosen);
        }}
        className="h-8 w-28 rounded-md border border-line-strong bg-surface px-2 text-sm"
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {ROLE_TEXTS[each].label}
          </option>
        ))}
      </select>
      <span role="alert" className="max-w-60 text-xs text-bad empty:sr-only">
        {problem}
      </span>
    </span>
  );
}
