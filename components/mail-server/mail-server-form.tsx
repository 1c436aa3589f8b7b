'use client';

import { useState } from 'react';
import { HiddenUsername, PasswordField } from '@/components/auth/account-fields';
import { Saved, type SavedState } from '@/components/profile/section';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { Form } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import {
  formatSender,
  type MailSecurity,
  type ShownMailServer,
  USUAL_PORTS,
} from '@/lib/schemas/mail-security';

type Action = (state: SavedState, form: FormData) => Promise<SavedState>;

type Props = {
  /** The one in use; null: none yet. */
  server: ShownMailServer | null;
  /** Set by MAIL_FROM; null: people choose the sender. */
  fixedSender: string | null;
  /** To whom the test email goes. */
  email: string;
  /** Whether the person confirms with their password; otherwise they have used their second factor. */
  asksPassword: boolean;
  save: Action;
};

const SECURITY: readonly { value: MailSecurity; label: string }[] = [
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'tls', label: 'TLS' },
  { value: 'none', label: 'None (unencrypted)' },
];

/** Sets the mail server of this service, once it has accepted a test email. */
export function MailServerForm({ server, fixedSender, email, asksPassword, save }: Props) {
  const [state, action, isPending] = useSubmission<SavedState>(save, freshState(valuesOf(server)));
  const values = state.attempt > 0 && state.saved === undefined ? state.values : valuesOf(server);
  const shown = { ...state, values };
  return (
    <Form action={action} state={state} className="flex max-w-xl flex-col gap-4">
      <AddressFields state={shown} />
      <LoginFields state={shown} hasPassword={server?.hasPassword ?? false} />
      {fixedSender === null ? (
        <TextField
          {...fieldOf(shown, 'from')}
          label="Sender"
          placeholder="Pharos <pharos@example.com>"
          required
          hint="An address that this server may send from."
        />
      ) : (
        <input type="hidden" name="from" value={fixedSender} />
      )}
      {asksPassword ? (
        <>
          <HiddenUsername email={email} />
          <PasswordField state={state} name="currentPassword" label="Your own password" isCurrent />
        </>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton tone="primary" size="large" isPending={isPending}>
          Send a test email and save
        </SubmitButton>
        <Saved text={isPending ? undefined : state.saved} />
      </div>
      <p className="text-sm text-muted">
        The test email goes to {email}. Nothing is saved unless the server accepts it.
      </p>
    </Form>
  );
}

/** Where the server is. The usual port follows the encryption until another one is typed. */
function AddressFields({ state }: { state: FormState }) {
  const { values, errors } = state;
  const [security, setSecurity] = useState(values.security);
  const [port, setPort] = useState(values.port ?? '');
  const choose = (value: string) => {
    setSecurity(value);
    const isUsual = port === '' || Object.values(USUAL_PORTS).some((usual) => port === String(usual));
    const chosen = SECURITY.find((each) => each.value === value);
    if (chosen && isUsual) setPort(String(USUAL_PORTS[chosen.value]));
  };
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          {...fieldOf(state, 'host')}
          label="Host"
          placeholder="smtp.example.com"
          required
          isCode
          className="flex-1 basis-60"
        />
        <TextField
          name="port"
          label="Port"
          inputMode="numeric"
          required
          value={port}
          onChange={({ target }) => setPort(target.value)}
          error={errors.port}
          className="w-24"
        />
      </div>
      <SelectField
        name="security"
        label="Encryption"
        options={SECURITY}
        value={security}
        onChange={({ target }) => choose(target.value)}
        error={errors.security}
      />
    </>
  );
}

function LoginFields({ state, hasPassword }: { state: FormState; hasPassword: boolean }) {
  return (
    <>
      <TextField
        {...fieldOf(state, 'user')}
        label="User"
        autoComplete="off"
        isCode
        hint="Leave empty if the server asks for none."
      />
      <TextField
        key={state.attempt}
        name="password"
        label="Password of this user"
        type="password"
        autoComplete="new-password"
        error={state.errors.password}
        hint={hasPassword ? 'Leave empty to keep the stored one, for the same server and user.' : undefined}
      />
    </>
  );
}

function valuesOf(server: ShownMailServer | null): Record<string, string> {
  if (server === null) return { security: 'starttls', port: String(USUAL_PORTS.starttls) };
  const { host, port, security, user, from } = server;
  return { host, port: String(port), security: security ?? 'starttls', user, from: formatSender(from) };
}

/** Stops sending email. */
export function ClearMailServer({ asksPassword, clear }: Pick<Props, 'asksPassword'> & { clear: Action }) {
  const [state, action, isPending] = useSubmission<SavedState>(clear, freshState());
  return (
    <Form action={action} state={state} className="flex max-w-xl flex-col items-start gap-4">
      {asksPassword ? (
        <TextField
          key={state.attempt}
          name="clearPassword"
          label="Your own password"
          type="password"
          autoComplete="current-password"
          required
          error={state.errors.currentPassword}
          className="w-full"
        />
      ) : null}
      <SubmitButton tone="danger" isPending={isPending}>
        Remove the mail server
      </SubmitButton>
    </Form>
  );
}
