'use client';

import Link from 'next/link';
import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { type FormState, freshState } from '@/components/ui/form-state';
import { EndpointForm } from './endpoint-form';
import { NewSecret } from './secret-section';

/** What was made; the secret is shown once and never again. null: its format is not signed. */
export type MadeEndpoint = { id: string; secret: string | null };
export type NewEndpointState = FormState & { made: MadeEndpoint | null };

type Props = {
  create: (state: NewEndpointState, form: FormData) => Promise<NewEndpointState>;
  initial: FormState['values'];
};

/** The form of a new endpoint, and in its place, once it is made, its secret. */
export function NewEndpoint({ create, initial }: Props) {
  const [state, action, isPending] = useActionState(create, { ...freshState(initial), made: null });
  const { made } = state;
  if (!made) {
    return (
      <EndpointForm {...{ state, action, isPending }} submit="Create endpoint" cancelHref="/notifications" />
    );
  }
  return (
    <div className="flex flex-col gap-5">
      {made.secret ? (
        <NewSecret secret={made.secret} />
      ) : (
        <Banner tone="note">
          The endpoint is made. Messages in this format are not signed: it needs no secret.
        </Banner>
      )}
      <Link
        prefetch={false}
        href={`/notifications/${made.id}`}
        className={`${buttonLook({ tone: 'primary', size: 'large' })} self-start`}
      >
        Go to the endpoint and test it
      </Link>
    </div>
  );
}
