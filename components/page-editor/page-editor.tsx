'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useActionState, useState } from 'react';
import { buttonLook } from '@/components/ui/button';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';
import { say } from '@/components/ui/toast';
import { LeaveDialog } from './leave-dialog';
import { PageFields } from './page-fields';
import { isSame, type MonitorName, NEW_PAGE, type PageValues, suggestSlug } from './page-values';
import { PreviewPane } from './preview-pane';

/** `slug` is the page's once it is saved; null: it was refused, and the state says why. */
export type PageSaved = { state: FormState; slug: string | null };

type Props = {
  save: (previous: FormState, form: FormData) => Promise<PageSaved>;
  monitors: readonly MonitorName[];
  baseUrl: string;
  /** The page as it is; null: a new one. */
  page: PageValues | null;
};

/** A page's form, and beside it what it comes to. */
export function PageEditor({ save, monitors, baseUrl, page }: Props) {
  const router = useRouter();
  const [saved, setSaved] = useState(page ?? NEW_PAGE);
  const [values, setValues] = useState(saved);
  const [isSlugTyped, setSlugTyped] = useState(page !== null);

  const [state, action, isPending] = useActionState(async (previous: FormState, form: FormData) => {
    const answer = await save(previous, form);
    if (answer.slug === null) return answer.state;
    const now = { ...values, slug: answer.slug };
    setSaved(now);
    say(sayWhat(page === null ? null : saved, now));
    const path = `/status-pages/${answer.slug}`;
    if (page === null) router.push(path);
    else if (answer.slug !== saved.slug) router.replace(path);
    return answer.state;
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
            {isDirty && page !== null ? 'Not saved yet' : ''}
          </p>
          {page === null ? (
            <Link prefetch={false} href="/status-pages" className={buttonLook({ size: 'large' })}>
              Cancel
            </Link>
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

function sayWhat(before: PageValues | null, { name, published }: PageValues): string {
  if (before === null) return published ? `${name} is made and published` : `${name} is made`;
  if (before.published === published) return `Saved ${name}`;
  return published ? `${name} is published` : `${name} is no longer published`;
}
