'use client';

import { Eye } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { buttonLook } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Form } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { LeaveDialog } from '@/components/ui/forms/leave-dialog';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { showToast } from '@/components/ui/toasts/toast';
import type { ImageField } from '@/lib/schemas/status-pages/page-images';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import type { Visibility } from '@/lib/schemas/status-pages/visibility';
import { type MonitorReadiness, type PageSurroundings, reviewPage } from './checklist/review-page';
import { PageFields } from './page-fields';
import { isSame, NEW_PAGE, type PageValues, suggestSlug } from './page-values';
import { PreviewPane } from './preview-pane';
import { editSections } from './section-values';

/** The saved page; null if saving failed, with the reason in `state`. */
export type PageSaved = { state: FormState; page: Pick<StatusPage, 'slug' | 'sections' | ImageField> | null };

type Props = {
  save: (previous: FormState, form: FormData) => Promise<PageSaved>;
  monitors: readonly MonitorReadiness[];
  baseUrl: string;
  timeZones: readonly string[];
  /** Whether the plan includes custom CSS and pages without “Powered by”. */
  hasBranding: boolean;
  /** Null for a new page. */
  page: PageValues | null;
  /** Who can see the page; of a new one, everyone. */
  visibility?: Visibility;
} & Pick<PageSurroundings, 'domain' | 'canSubscribe'>;

/** The popover that has the preview if the window is too narrow to show it next to the form. */
const PREVIEW = 'page-preview';

/** The form of a page next to a live preview. */
export function PageEditor(props: Props) {
  const { save, page, visibility = 'public', domain, canSubscribe, ...given } = props;
  const router = useRouter();
  const [saved, setSaved] = useState(page ?? NEW_PAGE);
  const [values, setValues] = useState(saved);
  const [isLogoLoaded, setLogoLoaded] = useState<boolean | null>(null);
  const [isSlugTyped, setSlugTyped] = useState(page !== null);

  const [state, action, isPending] = useSubmission(async (previous: FormState, form: FormData) => {
    const result = await save(previous, form);
    if (result.page === null) return result.state;
    // New components have IDs now, and new images paths.
    const { slug, sections, logoUrl, darkLogoUrl, faviconUrl } = result.page;
    const images = { logoUrl: logoUrl ?? '', darkLogoUrl: darkLogoUrl ?? '', faviconUrl: faviconUrl ?? '' };
    const now = { ...values, ...images, slug, sections: editSections(sections) };
    setSaved(now);
    setValues((latest) => (latest === values ? now : latest));
    showToast(formatSaved(page === null ? null : saved, now));
    const path = `/status-pages/${slug}`;
    if (page === null) router.push(path);
    else if (slug !== saved.slug) router.replace(path);
    return result.state;
  }, freshState());

  const change = (changes: Partial<PageValues>) => {
    if (changes.slug !== undefined) setSlugTyped(true);
    setValues((before) => {
      const after = { ...before, ...changes };
      const follows = changes.name !== undefined && !isSlugTyped;
      return follows ? { ...after, slug: suggestSlug(after.name) } : after;
    });
  };
  const isDirty = !isSame(values, saved);

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      {isDirty ? <LeaveDialog /> : null}
      <Form action={action} state={state} className="flex min-w-0 flex-col gap-5">
        <PageFields
          {...given}
          values={values}
          errors={state.errors}
          savedSlug={page === null ? null : saved.slug}
          visibility={visibility}
          findings={reviewPage(values, { monitors: given.monitors, domain, canSubscribe, isLogoLoaded })}
          change={change}
        />
        <SaveBar isNew={page === null} isDirty={isDirty} isPending={isPending} />
      </Form>
      <PreviewPane
        values={values}
        reportLogo={setLogoLoaded}
        popoverId={PREVIEW}
        className="min-w-0 flex-col text-ink max-lg:fixed max-lg:inset-0 max-lg:h-dvh max-lg:max-h-none max-lg:w-dvw max-lg:max-w-none max-lg:bg-canvas max-lg:p-4 max-lg:open:flex lg:sticky lg:inset-auto lg:top-6 lg:flex lg:h-[calc(100vh-3rem)] lg:w-auto lg:overflow-visible lg:bg-transparent"
      />
    </div>
  );
}

type SaveBarProps = { isNew: boolean; isDirty: boolean; isPending: boolean };

/** Stays at the bottom of the window. */
function SaveBar({ isNew, isDirty, isPending }: SaveBarProps) {
  return (
    <div className="sticky bottom-(--bottom) z-20 -mx-1 flex items-center justify-end gap-2 border-t border-line bg-canvas px-1 py-3">
      <p className="mr-auto text-xs text-muted" role="status">
        {isDirty && !isNew ? 'Unsaved changes' : ''}
      </p>
      <button
        type="button"
        popoverTarget={PREVIEW}
        className={cn(buttonLook({ size: 'large' }), 'lg:hidden')}
      >
        <Eye />
        Preview
      </button>
      {isNew ? (
        <ButtonLink href="/status-pages" size="large">
          Cancel
        </ButtonLink>
      ) : null}
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        {isNew ? 'Create page' : 'Save changes'}
      </SubmitButton>
    </div>
  );
}

function formatSaved(before: PageValues | null, { name, published }: PageValues): string {
  if (before === null) return published ? `Created and published ${name}` : `Created ${name}`;
  if (before.published === published) return `Saved ${name}`;
  return published ? `Published ${name}` : `Unpublished ${name}`;
}
