import { CircleAlert, CircleCheck } from 'lucide-react';
import Link from 'next/link';
import type { ChangeEvent } from 'react';
import { CheckField } from '@/components/ui/forms/field';
import type { Visibility } from '@/lib/schemas/status-pages/visibility';
import type { PageValues } from '../page-values';
import type { FindingPlace, PageFinding } from './review-page';

type Props = {
  values: Pick<PageValues, 'published' | 'noindex'>;
  errors: Record<string, string>;
  /** Who can see the page once it is published. */
  visibility: Visibility;
  findings: readonly PageFinding[];
  /** The tabs of the page; null for a new one. */
  path: string | null;
  change: (changes: Partial<PageValues>) => void;
};

/** Whether a page is published, what to look at before, and whether search engines may list it. */
export function PublishFields({ values, errors, visibility, findings, path, change }: Props) {
  const isPublic = visibility === 'public';
  const bind = (name: 'published' | 'noindex') => ({
    name,
    checked: values[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target.checked }),
    error: errors[name],
  });
  return (
    <>
      <CheckField
        {...bind('published')}
        label="Published"
        hint={
          isPublic
            ? 'Anyone with the link can see the page. When off, visitors get a “not found” page.'
            : 'Only visitors with access can see the page. When off, everyone gets a “not found” page.'
        }
      />
      <PublishChecklist findings={findings} isPublished={values.published} path={path} />
      <CheckField
        {...bind('noindex')}
        label="Hide from search engines"
        hint={
          isPublic
            ? 'They are asked not to list the page. Anyone with the link can still see it.'
            : 'Search engines can’t see private pages. This applies if you make the page public.'
        }
      />
    </>
  );
}

const LINKS: Record<FindingPlace, string> = {
  domain: 'Domain',
  subscribers: 'Subscribers',
  monitors: 'Monitors',
};

type PublishChecklistProps = {
  findings: readonly PageFinding[];
  isPublished: boolean;
  /** The tabs of the page; null for a new one. */
  path: string | null;
};

/** What to look at before a page is published, next to its switch. It keeps nobody from publishing. */
function PublishChecklist({ findings, isPublished, path }: PublishChecklistProps) {
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
