'use client';

import { useState } from 'react';
import { CheckField, TextArea } from '@/components/ui/forms/field';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { Section } from '@/components/ui/section';
import { PostmortemText } from './postmortem-section';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  text: string;
  isPublished: boolean;
  /** Names of the status pages that would show it. */
  pages: readonly string[];
  cancelHref: string;
};

const SYNTAX =
  'Markdown: ## heading, - list, 1. list, > quote, **bold**, *italic*, `code`, [text](https://…).';

/** The form of a postmortem with a live preview. */
export function PostmortemForm({ save, text, isPublished, pages, cancelHref }: Props) {
  const initial = { postmortem: text, postmortemPublished: isPublished ? 'on' : '' };
  const [state, action, isPending] = useSubmission(save, freshState(initial));
  const { values, errors } = state;
  const [typed, setTyped] = useState(values.postmortem ?? '');
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      <div className="grid gap-5 lg:grid-cols-2">
        <TextArea
          name="postmortem"
          label="Text"
          hint={SYNTAX}
          rows={22}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={errors.postmortem}
        />
        <Section title="Preview" gap="gap-1" className="min-w-0">
          <div className="flex-1 rounded-md border border-line bg-surface p-4">
            <PostmortemText text={typed} />
          </div>
        </Section>
      </div>
      <CheckField
        name="postmortemPublished"
        label="Publish on status pages"
        defaultChecked={values.postmortemPublished === 'on'}
        hint={
          pages.length > 0
            ? `Appears below the incident on ${pages.join(', ')}. No email is sent.`
            : 'No published status page shows this incident.'
        }
        error={errors.postmortemPublished}
      />
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        Save postmortem
      </FormButtons>
    </GuardedForm>
  );
}
