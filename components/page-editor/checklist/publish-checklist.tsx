import { CircleAlert, CircleCheck } from 'lucide-react';
import Link from 'next/link';
import type { Finding, FindingPlace } from './review-page';

const LINKS: Record<FindingPlace, string> = {
  domain: 'Domain',
  subscribers: 'Subscribers',
  monitors: 'Monitors',
};

type Props = {
  findings: readonly Finding[];
  isPublished: boolean;
  /** The tabs of the page; null for a new one. */
  path: string | null;
};

/** What to look at before a page is published, next to its switch. It keeps nobody from publishing. */
export function PublishChecklist({ findings, isPublished, path }: Props) {
  if (isPublished && findings.length === 0) return null;
  return (
    <section aria-labelledby="checklist-title" className="rounded-md border border-line bg-surface text-sm">
      <h2 id="checklist-title" className="flex items-center gap-2 px-3 py-2 font-medium">
        {findings.length === 0 ? <CircleCheck className="size-4 text-good" aria-hidden="true" /> : null}
        {findings.length === 0 ? 'Ready to publish' : isPublished ? 'Worth a look' : 'Before you publish'}
      </h2>
      {findings.length === 0 ? null : (
        <ul className="border-t border-line">
          {findings.map(({ title, advice, place }) => (
            <li key={title} className="flex items-start gap-2 px-3 py-1.5">
              <CircleAlert className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden="true" />
              <p className="min-w-0 wrap-anywhere">
                {title}. <span className="text-muted">{advice}</span>{' '}
                {place === null || path === null ? null : (
                  <Link
                    prefetch={false}
                    href={place === 'monitors' ? '/monitors' : `${path}/${place}`}
                    className="underline underline-offset-2"
                  >
                    {LINKS[place]}
                  </Link>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
