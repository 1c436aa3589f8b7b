'use client';

import { Mail } from 'lucide-react';
import { useActionState } from 'react';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';

type Props = {
  /** The person's reports by email, each with what it covers. */
  mails: { id: string; covers: string }[];
  /** What the report on the screen covers; null if the person receives it already. */
  current: string | null;
  /** The query string of the screen. */
  search: string;
  email: string;
  /** Both return an error message, or null on success. */
  add: (search: string) => Promise<string | null>;
  remove: (id: string) => Promise<string | null>;
};

/** The reports that the person receives by email after each month, with buttons to receive this one and to stop. */
export function ReportMailList({ mails, current, search, email, add, remove }: Props) {
  const [problem, run, isPending] = useActionState(
    (_: string | null, id: string) => (id === '' ? add(search) : remove(id)),
    null,
  );
  return (
    <div className="flex flex-col gap-3">
      <ProblemAlert problem={problem} />
      {mails.length > 0 ? (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {mails.map(({ id, covers }) => (
            <li key={id} className="flex items-center gap-3 border-b border-line px-3 py-2 last:border-0">
              <p className="min-w-0 flex-1 wrap-anywhere">{covers}</p>
              <form action={() => run(id)}>
                <SubmitButton tone="quiet" size="small" isPending={isPending} aria-label={`Stop: ${covers}`}>
                  Stop
                </SubmitButton>
              </form>
            </li>
          ))}
        </ul>
      ) : null}
      {current === null ? null : (
        <form action={() => run('')} className="flex flex-wrap items-center gap-3">
          <SubmitButton tone="quiet" isPending={isPending} icon={<Mail />}>
            Email me monthly
          </SubmitButton>
          <p className="min-w-0 text-muted">
            {current}. On the first of each month, to {email}.
          </p>
        </form>
      )}
    </div>
  );
}
