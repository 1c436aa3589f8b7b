'use client';

import type { ReactNode } from 'react';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { TitledCode } from '@/components/ui/code-block';
import { CredentialList } from '@/components/ui/credential-list';
import { TextField } from '@/components/ui/forms/field';
import { Form } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { EmptyNote, Section } from '@/components/ui/section';
import { ShownOnce } from '@/components/ui/shown-once';
import type { PageToken } from '@/lib/schemas/status-pages/page-token';
import { PAGE_TOKEN_WORDS } from './consequences';

/** A token that was just created. */
export type ShownPageToken = { name: string; token: string };

export type PageTokenFormState = FormState & { created?: ShownPageToken };

type Props = {
  tokens: readonly PageToken[];
  now: string;
  /** The URL of the page. */
  address: string;
  /** Absent for viewers. */
  actions?: {
    create: (state: FormState, form: FormData) => Promise<PageTokenFormState>;
    rotate: (id: string) => Promise<ActionResult<ShownPageToken>>;
    revoke: (id: string) => Promise<ActionProblem>;
  };
};

/** The tokens of a page, with which programs read it while it is private. */
export function PageTokens({ tokens, now, address, actions }: Props) {
  const show = (created: ShownPageToken) => (
    <NewPageToken key={created.token} {...created} address={address} />
  );
  return (
    <Section title="Tokens">
      <p className="-mt-2 text-muted">
        Feed readers, calendars, badges, embeds and scripts cannot enter a password or sign in. With a token,
        they can read the page while it is private.
      </p>
      {tokens.length === 0 ? (
        <EmptyNote>No tokens yet.</EmptyNote>
      ) : (
        <CredentialList
          items={tokens}
          now={now}
          words={PAGE_TOKEN_WORDS}
          actions={
            actions && {
              rotate: ({ id }: PageToken) => actions.rotate(id),
              revoke: ({ id }: PageToken) => actions.revoke(id),
            }
          }
          showCreated={show}
          expiring="replaced, "
        />
      )}
      {actions ? <NewTokenForm create={actions.create} show={show} /> : null}
    </Section>
  );
}

type FormProps = {
  create: NonNullable<Props['actions']>['create'];
  show: (created: ShownPageToken) => ReactNode;
};

function NewTokenForm({ create, show }: FormProps) {
  const [state, action, isPending] = useSubmission<PageTokenFormState>(create, freshState({ name: '' }));
  return (
    <div className="flex flex-col gap-4">
      {state.created ? (
        <div className="rounded-lg border border-line bg-surface p-4">{show(state.created)}</div>
      ) : null}
      <Form action={action} state={state} className="flex flex-wrap items-start gap-2">
        <TextField
          {...fieldOf(state, 'name')}
          label="New token"
          hint="Who reads the page with it."
          autoComplete="off"
          required
          maxLength={100}
          placeholder="Feed reader of the support team"
          className="max-w-md flex-1 basis-64"
        />
        <SubmitButton size="large" isPending={isPending} className="sm:mt-6">
          Create token
        </SubmitButton>
      </Form>
    </div>
  );
}

function NewPageToken({ name, token, address }: ShownPageToken & { address: string }) {
  return (
    <ShownOnce title={`New token “${name}”`} level="h3" text={token} copyLabel="Copy the token">
      <TitledCode
        title="For feed readers, calendars and badges, add it to the URL:"
        text={`${address}/feed.atom?token=${token}`}
        label="Copy the URL of the feed"
      />
      <TitledCode
        title="Scripts can send it as a header:"
        text={`curl -H 'Authorization: Bearer ${token}' ${address}/status.json`}
        label="Copy the command"
      />
    </ShownOnce>
  );
}
