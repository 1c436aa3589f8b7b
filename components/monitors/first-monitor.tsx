'use client';

import { Plus } from 'lucide-react';
import { TextArea } from '@/components/ui/forms/field';
import { Form } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';

type Save = (state: FormState, form: FormData) => Promise<FormState>;
type Props = {
  /** Creates a monitor for each line. */
  createFromUrls: Save;
  create: Save;
  /** Form values of the suggested monitor. */
  suggested: FormState['values'];
};

/** The first monitors: of URLs that are typed or pasted, or of Pharos itself with one click. */
export function FirstMonitor({ createFromUrls, create, suggested }: Props) {
  const [state, action, isPending] = useSubmission(createFromUrls, freshState());
  return (
    <div className="flex flex-col gap-4">
      <Form action={action} state={state} className="flex flex-col gap-3">
        <TextArea
          {...fieldOf(state, 'urls')}
          label="URL"
          rows={2}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder="https://example.com"
          hint="Paste several lines to create several monitors. https:// is added where it is missing."
        />
        <SubmitButton
          tone="primary"
          size="large"
          isPending={isPending}
          icon={<Plus />}
          className="self-start"
        >
          Start monitoring
        </SubmitButton>
      </Form>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted">Or</span>
        <Suggested create={create} suggested={suggested} />
        <ButtonLink href="/monitors/new">Choose all settings</ButtonLink>
        <ButtonLink href="/monitors/import">Import monitors</ButtonLink>
      </div>
    </div>
  );
}

function Suggested({ create, suggested }: Pick<Props, 'create' | 'suggested'>) {
  const [state, action, isPending] = useSubmission(create, freshState(suggested));
  return (
    <Form action={action} state={state}>
      {Object.entries(suggested)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <SubmitButton isPending={isPending}>Monitor Pharos itself</SubmitButton>
    </Form>
  );
}
