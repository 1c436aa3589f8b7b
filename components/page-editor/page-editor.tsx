'use client';

import { useRouter } from 'next/navigation';
import { useActionState, useEffect, useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { showToast } from '@/components/ui/toasts/toast';
import { PageFields } from './page-fields';
import { isSame, type MonitorName, NEW_PAGE, type PageValues, suggestSlug } from './page-values';
import { PreviewPane } from './preview-pane';

/** `slug` is the saved page's; null if saving failed, with the reason in `state`. */
export type PageSaved = { state: FormState; slug: string | null };

type Props = {
  save: (previous: FormState, form: FormData) => Promise<PageSaved>;
  monitors: readonly MonitorName[];
  baseUrl: string;
  /** Null for a new page. */
  page: PageValues | null;
};

/** The form of a page next to a live preview. */
export function PageEditor({ save, monitors, baseUrl, page }: Props) {
  const router = useRouter();
  const [saved, setSaved] = useState(page ?? NEW_PAGE);
  const [values, setValues] = useState(saved);
  const [isSlugTyped, setSlugTyped] = useState(page !== null);

  const [state, action, isPending] = useActionState(async (previous: FormState, form: FormData) => {
    const result = await save(previous, form);
    if (result.slug === null) return result.state;
    const now = { ...values, slug: result.slug };
    setSaved(now);
    showToast(formatSaved(page === null ? null : saved, now));
    const path = `/status-pages/${result.slug}`;
    if (page === null) router.push(path);
    else if (result.slug !== saved.slug) router.replace(path);
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
      <LeaveDialog isDirty={isDirty} />
      <Form action={action} state={state} className="flex min-w-0 flex-col gap-5">
        <PageFields
          values={values}
          errors={state.errors}
          monitors={monitors}
          savedSlug={page === null ? null : saved.slug}
          baseUrl={baseUrl}
          change={change}
        />
        <div className="sticky bottom-0 z-20 -mx-1 flex items-center justify-end gap-2 border-t border-line bg-canvas px-1 py-3">
          <p className="mr-auto text-xs text-muted" role="status">
            {isDirty && page !== null ? 'Unsaved changes' : ''}
          </p>
          {page === null ? (
            <ButtonLink href="/status-pages" size="large">
              Cancel
            </ButtonLink>
          ) : null}
          <SubmitButton tone="primary" size="large" isPending={isPending}>
            {page === null ? 'Create page' : 'Save changes'}
          </SubmitButton>
        </div>
      </Form>
      <PreviewPane
        values={values}
        className="flex h-[75vh] min-w-0 flex-col lg:sticky lg:top-6 lg:h-[calc(100vh-3rem)]"
      />
    </div>
  );
}

function formatSaved(before: PageValues | null, { name, published }: PageValues): string {
  if (before === null) return published ? `Created and published ${name}` : `Created ${name}`;
  if (before.published === published) return `Saved ${name}`;
  return published ? `Published ${name}` : `Unpublished ${name}`;
}

/** Blocks links and the back button while `isDirty`, until confirmed. The browser itself confirms closing the tab. */
function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const router = useRouter();
  /** A blocked navigation and how to resume it. */
  const [departure, setDeparture] = useState<{ leave: () => void } | null>(null);

  useEffect(() => {
    if (!isDirty) return;
    const stop = new AbortController();
    const { signal } = stop;
    const block = (resume: () => void) =>
      setDeparture({
        leave: () => {
          stop.abort();
          resume();
        },
      });
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });

    const blockLink = (event: MouseEvent) => {
      const href = leavingHref(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      block(() => router.push(href));
    };
    document.addEventListener('click', blockLink, { capture: true, signal });

    // Not every browser can block the back button yet.
    const { navigation } = globalThis as { navigation?: Navigation };
    const blockTraversal = (event: NavigateEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable) return;
      const { key } = event.destination;
      event.preventDefault();
      block(() => navigation?.traverseTo(key));
    };
    navigation?.addEventListener('navigate', blockTraversal, { signal });
    return () => stop.abort();
  }, [isDirty, router]);

  return (
    <ConfirmDialog
      open={departure !== null}
      onOpenChange={() => setDeparture(null)}
      title="Leave without saving?"
      description="Your unsaved changes will be lost."
      confirm="Leave"
      action={() => {
        setDeparture(null);
        departure?.leave();
      }}
      isPending={false}
      problem={null}
    />
  );
}

/** The URL of a clicked link to another page of the app; null for anything else, such as a new tab. */
function leavingHref(event: MouseEvent): string | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null || link.target === '_blank' || link.hasAttribute('download')) return null;
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const { origin, pathname, search } = new URL(link.href);
  const isHere = pathname === window.location.pathname && search === window.location.search;
  return origin !== window.location.origin || isHere ? null : link.href;
}
