import { Globe, Pencil, PenLine } from 'lucide-react';
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import type { Incident } from '@/lib/schemas/incident';
import { PostmortemText } from './postmortem-text';

type Props = { incident: Incident; mayWrite: boolean };

/** What was learned of an incident, and whether the public reads it; the way to write it once it is over. */
export function PostmortemSection({ incident, mayWrite }: Props) {
  const { id, postmortem, postmortemPublished, resolvedAt } = incident;
  const href = `/incidents/${id}/postmortem`;
  if (postmortem === null && (resolvedAt === null || !mayWrite)) return null;
  return (
    <section className="flex flex-col gap-2" aria-labelledby="postmortem">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="postmortem" className="text-sm font-semibold">
          Postmortem
        </h2>
        {postmortem === null ? null : (
          <p className="flex items-center gap-1.5 text-xs text-muted">
            {postmortemPublished ? <Globe className="size-3.5" aria-hidden="true" /> : null}
            {postmortemPublished ? 'Published on status pages' : 'Draft, not public'}
          </p>
        )}
        {postmortem !== null && mayWrite ? (
          <Link prefetch={false} href={href} className={`${buttonLook()} ml-auto`}>
            <Pencil aria-hidden="true" />
            Edit postmortem
          </Link>
        ) : null}
      </div>
      <div className="rounded-lg border border-line bg-surface p-4">
        {postmortem === null ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-muted">
              Write down what happened and what changes, for your team or for everybody.
            </p>
            <Link prefetch={false} href={href} className={buttonLook()}>
              <PenLine aria-hidden="true" />
              Write postmortem
            </Link>
          </div>
        ) : (
          <PostmortemText text={postmortem} />
        )}
      </div>
    </section>
  );
}
