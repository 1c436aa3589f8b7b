'use client';

import Link from 'next/link';
import { useActionState, useEffect, useRef, useState } from 'react';
import { buttonLook } from '@/components/ui/button';
import { Form, SubmitButton } from '@/components/ui/form';
import { type FormState, freshState, readTyped } from '@/components/ui/form-state';
import { hasFieldGroup, MONITOR_TYPES } from '@/lib/checks/types';
import { AlertFields } from './alert-fields';
import { BacktestPanel } from './backtest-panel';
import { CurlFold } from './curl-fold';
import type { FormChoices } from './form-choices';
import { MoreFields } from './more-fields';
import { OPENED } from './opened';
import { RequestFields } from './request-fields';
import { RestartNote } from './restart-note';
import { ScheduleFields } from './schedule-fields';
import { TargetFields } from './target-fields';
import { TestNow } from './test-now';

/** Fields that nobody types into. */
const CARRIED = [OPENED, 'source'];

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  choices: FormChoices;
  /** The monitor that is changed; null for a new one. */
  id?: string | null;
  /** The monitor whose headers are hidden in `initial`: that one, or the one that is copied. */
  source?: string | null;
  /** What need not be said to the API: the defaults, or the monitor as it is. */
  known: FormState['values'];
  baseUrl: string;
};

/** The form of a monitor, new or not. */
export function MonitorForm({ save, initial, choices, id = null, source = null, known, baseUrl }: Props) {
  const [state, action, isPending] = useActionState(save, freshState(initial));
  const { values, errors } = state;
  const [type, setType] = useState(values.type ?? MONITOR_TYPES[0]);
  const [typed, setTyped] = useState(initial);
  const fields = useRef<HTMLDivElement>(null);

  // Another type has other fields, and a browser may have filled some in before the page lived.
  useEffect(() => {
    const form = fields.current?.closest('form');
    if (form) setTyped({ ...readTyped(new FormData(form), CARRIED), type });
  }, [type]);

  const drawn = { values, errors };
  return (
    <Form
      action={action}
      state={state}
      onInput={(event) => setTyped(readTyped(new FormData(event.currentTarget), CARRIED))}
      className="flex flex-col gap-5"
    >
      {id === null ? null : <input type="hidden" name={OPENED} value={JSON.stringify(initial)} />}
      {source === null ? null : <input type="hidden" name="source" value={source} />}
      <div ref={fields} className="flex flex-col gap-5">
        <TargetFields {...drawn} choices={choices} type={type} setType={setType} />
        <ScheduleFields {...drawn} choices={choices} />
        <AlertFields {...drawn} typed={typed}>
          {id === null ? null : <BacktestPanel id={id} typed={typed} opened={initial} />}
        </AlertFields>
        {hasFieldGroup(type, 'request') ? <RequestFields {...drawn} /> : null}
        <MoreFields {...drawn} />
        <CurlFold typed={typed} known={known} id={id} baseUrl={baseUrl} />
      </div>
      <TestNow typed={typed} source={source} size="large" />
      {id === null ? null : <RestartNote typed={typed} opened={initial} />}
      <div className="flex justify-end gap-2 border-t border-line pt-4">
        <Link
          prefetch={false}
          href={id === null ? '/monitors' : `/monitors/${id}`}
          className={buttonLook({ size: 'large' })}
        >
          Cancel
        </Link>
        <SubmitButton tone="primary" size="large" isPending={isPending}>
          {id === null ? 'Create monitor' : 'Save changes'}
        </SubmitButton>
      </div>
    </Form>
  );
}
