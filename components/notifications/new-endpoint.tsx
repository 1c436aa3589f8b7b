'use client';

import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { EndpointForm } from './endpoint-form';
import { NewSecret } from './secret-section';

/** A created endpoint. The secret is shown only once; null if the format is not signed. */
type CreatedEndpoint = { id: string; secret: string | null };
export type NewEndpointState = FormState & { created?: CreatedEndpoint };

type Props = {
  create: (state: NewEndpointState, form: FormData) => Promise<NewEndpointState>;
  initial: FormState['values'];
};

/** The form of a new endpoint, replaced by its secret once it is created. */
export function NewEndpoint({ create, initial }: Props) {
  const [state, action, isPending] = useActionState<NewEndpointState, FormData>(create, freshState(initial));
  const { created } = state;
  if (!created) {
    return (
      <EndpointForm {...{ state, action, isPending }} submit="Create endpoint" cancelHref="/notifications" />
    );
  }
  return (
    <div className="flex flex-col gap-5">
      {created.secret ? (
        <NewSecret secret={created.secret} />
      ) : (
        <Banner tone="note">
          The endpoint was created. Messages in this format are not signed, so there is no secret.
        </Banner>
      )}
      <ButtonLink tone="primary" size="large" href={`/notifications/${created.id}`} className="self-start">
        Go to the endpoint and test it
      </ButtonLink>
    </div>
  );
}
