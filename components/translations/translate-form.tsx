'use client';

import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { TranslationFields } from './translation-fields';
import { translationValues } from './translation-names';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  update: { message: string; translations: Parameters<typeof translationValues>[0] };
  cancelHref: string;
};

/** Translates an update that is published. */
export function TranslateForm({ save, update, cancelHref }: Props) {
  const { message, translations } = update;
  const [state, action, isPending] = useSubmission(save, freshState(translationValues(translations)));
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      <p className="max-w-[75ch] rounded-lg border border-line bg-surface px-4 py-3 whitespace-pre-line wrap-anywhere">
        {message}
      </p>
      <TranslationFields
        isOpen
        texts={[{ name: 'message', label: 'Message', isLong: true }]}
        values={state.values}
        error={state.errors.translations}
      />
      <p className="text-xs text-muted">Status pages show a translation right away. No email is sent.</p>
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        Save translations
      </FormButtons>
    </GuardedForm>
  );
}
