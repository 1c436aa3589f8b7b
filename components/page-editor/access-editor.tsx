'use client';

import { useState } from 'react';
import { PlanNote } from '@/components/organization/plan-note';
import { Banner } from '@/components/ui/banner';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { Form } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { Section } from '@/components/ui/section';
import { showToast } from '@/components/ui/toasts/toast';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { VISIBILITIES, type Visibility } from '@/lib/schemas/status-pages/visibility';

const LABELS: Record<Visibility, string> = {
  public: 'Everyone',
  password: 'People with the password',
  ip: 'Visitors from certain IP addresses',
  members: 'Members of this organization',
};

const HINTS: Record<Visibility, string> = {
  public: 'Anyone with the link can see the page, and search engines can list it.',
  password: 'Visitors enter the password once in each browser.',
  ip: 'Everyone else gets a “not found” page.',
  members: 'Visitors sign in with their account. A removed member loses access at once.',
};

type Props = {
  access: Pick<StatusPage, 'visibility' | 'hasPassword' | 'allowedCidrs'>;
  isPublished: boolean;
  plan: string;
  /** Whether the plan includes private pages. */
  isIncluded: boolean;
  /** Whether the addresses of visitors are known. */
  knowsAddresses: boolean;
  /** Absent for viewers. */
  save?: (state: FormState, form: FormData) => Promise<FormState>;
};

/** Who can see a page. */
export function AccessEditor({ access, isPublished, plan, isIncluded, knowsAddresses, save }: Props) {
  const { visibility } = access;
  return (
    <Section title="Who can see the page">
      <p className="-mt-2 text-muted">
        This applies to the page, its history, feeds, calendar, JSON, badge and embed, on every address of the
        page{isPublished ? '' : ', once it is published'}.
      </p>
      {isIncluded ? null : (
        <PlanNote>
          The {plan} plan does not include private pages.
          {visibility === 'public' ? '' : ' This page stays private until you make it public.'}
        </PlanNote>
      )}
      {save ? (
        <AccessForm
          access={access}
          isPublished={isPublished}
          isIncluded={isIncluded}
          knowsAddresses={knowsAddresses}
          save={save}
        />
      ) : (
        <p className="font-medium">{LABELS[visibility]}</p>
      )}
    </Section>
  );
}

type FormProps = Required<Pick<Props, 'save'>> & Omit<Props, 'save' | 'plan'>;

function AccessForm({ access, isPublished, isIncluded, knowsAddresses, save }: FormProps) {
  const [visibility, setVisibility] = useState(access.visibility);
  const [state, action, isPending] = useSubmission(
    async (previous: FormState, form: FormData) => {
      const next = await save(previous, form);
      if (next.message === null) showToast('Access saved');
      return next;
    },
    freshState({ allowedCidrs: access.allowedCidrs.join('\n') }),
  );
  const isOffered = (value: Visibility) =>
    value === access.visibility || value === 'public' || (isIncluded && (value !== 'ip' || knowsAddresses));
  const options = VISIBILITIES.filter(isOffered).map((value) => ({ value, label: LABELS[value] }));
  const goesPrivate = isPublished && access.visibility === 'public' && visibility !== 'public';
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <SelectField
        name="visibility"
        label="Visible to"
        value={visibility}
        onChange={({ target }) => setVisibility(target.value as Visibility)}
        options={options}
        hint={HINTS[visibility]}
        error={state.errors.visibility}
        className="max-w-md"
      />
      <CredentialFields visibility={visibility} hasPassword={access.hasPassword} state={state} />
      {isIncluded && !knowsAddresses ? (
        <p className="text-xs text-muted">
          To limit a page to IP addresses, ask your operator to set{' '}
          <code className="font-mono">TRUSTED_PROXIES</code>.
        </p>
      ) : null}
      {goesPrivate ? (
        <Banner tone="slow">
          Copies held by this service are removed at once. A CDN in front of it may keep showing the page for
          up to 70 seconds. Notifications to subscribers will no longer contain details.
        </Banner>
      ) : null}
      <div>
        <SubmitButton tone="primary" size="large" isPending={isPending}>
          Save access
        </SubmitButton>
      </div>
    </Form>
  );
}

type CredentialProps = { visibility: Visibility; hasPassword: boolean; state: FormState };

/** What visitors of a private page need. */
function CredentialFields({ visibility, hasPassword, state }: CredentialProps) {
  return (
    <>
      {visibility === 'password' ? (
        <TextField
          {...fieldOf(state, 'password')}
          label={hasPassword ? 'New password' : 'Password'}
          type="password"
          autoComplete="new-password"
          maxLength={256}
          required={!hasPassword}
          hint={
            hasPassword
              ? 'Leave empty to keep the current one. A new password signs out everyone who entered the old one.'
              : 'At least 8 characters. Anyone who has it can see the page.'
          }
          className="max-w-md"
        />
      ) : null}
      {visibility === 'ip' ? (
        <TextArea
          {...fieldOf(state, 'allowedCidrs')}
          label="IP addresses and ranges"
          rows={4}
          required
          placeholder={'203.0.113.0/24\n2001:db8::/32'}
          hint="One per line."
          className="max-w-md"
        />
      ) : null}
    </>
  );
}
