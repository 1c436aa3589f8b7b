'use client';

import { useActionState } from 'react';
import { type FormState, freshState } from '@/components/ui/form-state';
import { EndpointForm } from './endpoint-form';

type Props = {
  update: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  cancelHref: string;
};

export function EditEndpoint({ update, initial, cancelHref }: Props) {
  const [state, action, isPending] = useActionState(update, freshState(initial));
  return <EndpointForm {...{ state, action, isPending, cancelHref }} submit="Save changes" />;
}
