'use client';

import Link from 'next/link';
import { useActionState, useEffect, useRef, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { Fold, FormSection } from '@/components/ui/fold';
import { Form, SubmitButton } from '@/components/ui/form';
import { type FormState, freshState, readTyped } from '@/components/ui/form-state';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { BacktestPanel } from './backtest-panel';
import { CurlFold } from './curl-fold';
import { explainAlerts } from './explain-alerts';
import { type DrawnForm, type FormChoices, fieldsOf, isSectionUsed, SectionFields } from './monitor-field';
import { changedInput, OPENED, readMonitorInput, type Typed } from './monitor-input';
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

  const form: DrawnForm = { choices, type, setType, values, errors };
  const opened = { fields: choices.fields, typed, opened: initial };
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
        <FormSection title="What to watch">
          <SectionFields form={form} section="type" />
          <SectionFields form={form} section="target" />
        </FormSection>
        <FormSection title="When and from where">
          <SectionFields form={form} section="schedule" />
        </FormSection>
        <FormSection title="When to alert">
          <SectionFields form={form} section="alerts" />
          <ul className="flex flex-col gap-0.5 text-sm text-muted" aria-label="What these numbers come to">
            {explainAlerts(typed).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {id === null ? null : <BacktestPanel id={id} {...opened} />}
        </FormSection>
        {fieldsOf(form, 'request').length === 0 ? null : (
          <Fold
            title="Request and answer"
            hint="headers, body, keyword, redirects, certificate"
            isOpen={isSectionUsed(form, 'request')}
          >
            <SectionFields form={form} section="request" />
          </Fold>
        )}
        <Fold title="Tags and state" hint="tags, reference, paused" isOpen={isSectionUsed(form, 'more')}>
          <SectionFields form={form} section="more" />
        </Fold>
        <CurlFold fields={choices.fields} typed={typed} known={known} id={id} baseUrl={baseUrl} />
      </div>
      <TestNow typed={typed} source={source} size="large" />
      {id === null ? null : <RestartNote {...opened} />}
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

type Opened = { fields: FormChoices['fields']; typed: Typed; opened: Typed };

/** Says before it happens that a change makes the monitor begin again. */
function RestartNote({ fields, typed, opened }: Opened) {
  const changed = changedInput(readMonitorInput(fields, opened), readMonitorInput(fields, typed));
  if (!fields.some(({ name, resetsStatus }) => resetsStatus && name in changed)) return null;
  return (
    <Banner tone="note">
      This asks something else than before: the monitor starts again at pending, and its checks so far count
      no more.
    </Banner>
  );
}
