import type { ChangeEvent } from 'react';
import { CheckField } from '@/components/ui/forms/field';
import type { Visibility } from '@/lib/schemas/status-pages/visibility';
import type { PageValues } from '../page-values';
import { PublishChecklist } from './publish-checklist';
import type { Finding } from './review-page';

type Props = {
  values: Pick<PageValues, 'published' | 'noindex'>;
  errors: Record<string, string>;
  /** Who can see the page once it is published. */
  visibility: Visibility;
  findings: readonly Finding[];
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
