'use client';

import Link from 'next/link';
import { useActionState } from 'react';
import { buttonLook } from '@/components/ui/button';
import { freshState } from '@/components/ui/form-state';
import { NewKey } from './new-key';
import { SetUpForm, type SetUpState } from './set-up-form';

type Props = {
  setUp: (state: SetUpState, form: FormData) => Promise<SetUpState>;
  token: string;
  defaultPlan: string;
  serviceName: string;
  /** False once there is an organization: nothing is left to fill in. */
  isOpen: boolean;
};

/** The set-up form, and in its place, once it is done, the key. */
export function SetUp({ setUp, token, defaultPlan, serviceName, isOpen }: Props) {
  const [state, action, isPending] = useActionState(setUp, {
    ...freshState({ plan: defaultPlan, token }),
    made: null,
  });
  if (state.made) return <NewKey {...state.made} serviceName={serviceName} />;
  if (!isOpen) {
    return (
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    );
  }
  return <SetUpForm {...{ state, action, isPending }} />;
}
