'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { cn } from '@/components/ui/cn';
import { CodeBlock } from '@/components/ui/code-block';
import { Fold, FormSection } from '@/components/ui/fold';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, freshState, readTyped } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { HelpButton } from '@/components/ui/help/help-button';
import type { Assertion } from '@/lib/checks/assertions/assertion';
import { findCheckType, MONITOR_TYPES } from '@/lib/checks/types';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Backtest } from '@/lib/schemas/monitor/backtest';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { formatCurl } from '../curl-commands';
import { NextRuns } from '../heartbeat/next-runs';
import { isOnePlace } from '../regions/name-region';
import { formatLocations } from '../regions/probed-by';
import type { Tested } from './assertions/judged';
import { BacktestResult } from './backtest-result';
import { explainAlerts } from './explain-alerts';
import { keepInput } from './kept-input';
import { type FormChoices, type FormContext, fieldsOf, isSectionUsed, SectionFields } from './monitor-field';
import { changedInput, OPENED, readMonitorInput, type Typed } from './monitor-input';
import { type FinishedTest, TestNow } from './test-now';

/** Hidden fields. */
const HIDDEN_FIELDS = [OPENED, 'source'];

/** Fields whose conflicts are errors of one of them. */
const TOGETHER = [
  ['method', 'body'],
  ['type', 'url', 'recordType', 'resolver'],
  ['period', 'schedule'],
  ['memberRule', 'memberMinimum'],
  ['headers', 'authentication'],
];

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  choices: FormChoices;
  /** Null for a new monitor. */
  id?: string | null;
  /** The monitor whose headers are hidden in `initial`: this one, or the one being copied. */
  source?: string | null;
  /** Values to leave out of the API call: the defaults, or the current values. */
  known: FormState['values'];
  baseUrl: string;
  /** Shown with the settings of alerts, such as that nobody is notified. */
  alertNote?: ReactNode;
};

/** The form of a new or existing monitor. */
export function MonitorForm(props: Props) {
  const { save, initial, choices, id = null, source = null, known, baseUrl, alertNote } = props;
  const [state, action, isPending] = useSubmission(save, freshState(initial));
  const { values, errors } = state;
  const { type, setType, typed, setTyped, kept, container } = useInput(state, initial, choices.fields);
  const [tested, setTested] = useState<Tested | null>(null);
  const isProbed = findCheckType(type)?.isProbed ?? true;
  const isGroup = findCheckType(type)?.follows === 'members';
  const form: FormContext = { choices, type, setType, values, kept, errors, tested };
  const opened = { fields: choices.fields, typed, opened: initial };
  return (
    <GuardedForm
      action={action}
      state={state}
      together={TOGETHER}
      onInput={(event) => setTyped(readTyped(new FormData(event.currentTarget), HIDDEN_FIELDS))}
      className="flex flex-col gap-5"
    >
      {id === null ? null : <input type="hidden" name={OPENED} value={JSON.stringify(initial)} />}
      {source === null ? null : <input type="hidden" name="source" value={source} />}
      <div ref={container} className="flex flex-col gap-5">
        <FormSection title={isProbed ? 'Target' : isGroup ? 'Group' : 'Job'}>
          <SectionFields form={form} section="type" />
          <SectionFields form={form} section="target" />
        </FormSection>
        {isGroup ? null : (
          <FormSection title={isProbed ? 'Schedule and regions' : 'Expected calls'}>
            <SectionFields form={form} section="schedule" />
            {isProbed ? (
              <LocationNote regions={choices.regions} chosen={(typed.regions ?? '').split(',')} />
            ) : (
              <NextRuns period={typed.period ?? ''} schedule={typed.schedule ?? ''} />
            )}
          </FormSection>
        )}
        <FormSection title="Alerts">
          {alertNote}
          <SectionFields form={form} section="alerts" />
          <ul className="flex flex-col gap-0.5 text-sm text-muted" aria-label="Alert summary">
            {explainAlerts(typed).map((sentence, place) => (
              <li key={sentence}>
                {sentence}
                {place === 0 && typed.regions?.includes(',') ? <HelpButton topic="quorum" /> : null}
              </li>
            ))}
          </ul>
          {id === null ? null : <BacktestPanel id={id} {...opened} />}
        </FormSection>
        <Folds form={form} />
        <CurlFold fields={choices.fields} typed={typed} known={known} id={id} baseUrl={baseUrl} />
      </div>
      {isProbed ? (
        <TestNow
          typed={typed}
          source={source}
          size="large"
          labels={labelsOf(form)}
          onTested={(run) => setTested(toTested(run, choices.fields))}
        />
      ) : null}
      {id === null ? null : <RestartNote {...opened} />}
      <FormButtons cancelHref={id === null ? '/monitors' : `/monitors/${id}`} isPending={isPending}>
        {id === null ? 'Create monitor' : 'Save changes'}
      </FormButtons>
    </GuardedForm>
  );
}

/** What is typed, also in fields that another type hides at the moment. `container` is the element with the fields. */
function useInput(state: FormState, initial: Typed, fields: FormChoices['fields']) {
  const { values } = state;
  const [type, setType] = useState(values.type ?? MONITOR_TYPES[0]);
  const [typed, setTyped] = useState(initial);
  const [before, setBefore] = useState<{ values: Typed; input: Typed }>({ values, input: {} });
  const container = useRef<HTMLDivElement>(null);

  // What was submitted since is newer.
  const kept =
    before.values === values ? before.input : { ...before.input, ...keepInput(fields, values.type, values) };
  const changeType = (next: string) => {
    const form = container.current?.closest('form');
    if (form) {
      const current = keepInput(fields, type, readTyped(new FormData(form), HIDDEN_FIELDS));
      setBefore({ values, input: { ...kept, ...current } });
    }
    setType(next);
  };

  // Other types have other fields, and the browser may have restored input before hydration.
  useEffect(() => {
    const form = container.current?.closest('form');
    if (form) setTyped({ ...readTyped(new FormData(form), HIDDEN_FIELDS), type });
  }, [type]);

  return { type, setType: changeType, typed, setTyped, kept, container };
}

/** Sections that are closed until one of their fields is used. */
const FOLDS = [
  { section: 'assertions', title: 'Assertions', hint: 'what a response must meet' },
  {
    section: 'request',
    title: 'Request and response',
    hint: 'headers, authentication, body, keyword, redirects',
  },
  { section: 'certificate', title: 'Certificate', hint: 'verification, expiry warning' },
  { section: 'connection', title: 'Connection', hint: 'IP version, address' },
  { section: 'dependencies', title: 'Dependencies', hint: 'what this monitor needs to work' },
  { section: 'more', title: 'Tags and status', hint: 'tags, reference, enabled' },
] as const;

function Folds({ form }: { form: FormContext }) {
  return FOLDS.filter(({ section }) => fieldsOf(form, section).length > 0).map(({ section, title, hint }) => (
    <Fold key={section} title={title} hint={hint} isOpen={isSectionUsed(form, section)}>
      <SectionFields form={form} section={section} />
    </Fold>
  ));
}

/** Regions that share a machine are not several opinions. */
function LocationNote({ regions, chosen }: { regions: FormChoices['regions']; chosen: string[] }) {
  const locations = formatLocations(regions, chosen);
  const isOne = regions.every(({ id, name }) => !chosen.includes(id) || isOnePlace(name));
  return locations === null || isOne ? null : (
    <p role="status" className="text-sm text-muted">
      <strong className="font-medium text-ink">{locations}.</strong> These regions are probed from the same
      place and fail together. Run a worker elsewhere to get a second opinion.
    </p>
  );
}

/** A test as the editor of assertions needs it. */
function toTested({ typed, result }: FinishedTest, fields: FormChoices['fields']): Tested {
  const { assertions } = readMonitorInput(fields, typed);
  const known: Assertion[] = Array.isArray(assertions) ? assertions : [];
  return { observed: result.observed, outcomes: result.assertions, assertions: known };
}

/** What the fields are called. */
function labelsOf({ choices, type }: FormContext): Record<string, string> {
  const labels = Object.fromEntries(choices.fields.map(({ name, label }) => [name, label]));
  return { ...labels, url: findCheckType(type)?.form.label ?? 'URL' };
}

type Opened = { fields: FormChoices['fields']; typed: Typed; opened: Typed };

/** Warns that a change resets the monitor. */
function RestartNote({ fields, typed, opened }: Opened) {
  const changed = changedInput(readMonitorInput(fields, opened), readMonitorInput(fields, typed));
  if (!fields.some(({ name, resetsStatus }) => resetsStatus && name in changed)) return null;
  return (
    <Banner tone="note">
      Saving this change resets the monitor to pending. Earlier checks no longer count toward its status.
    </Banner>
  );
}

type CurlFoldProps = {
  fields: readonly FormField[];
  typed: Typed;
  /** Values to leave out: the defaults of a new monitor, or the current values. */
  known: Typed;
  /** Null for a new monitor. */
  id: string | null;
  baseUrl: string;
};

/** The API call equivalent to submitting the form. */
function CurlFold({ fields, typed, known, id, baseUrl }: CurlFoldProps) {
  const input = readMonitorInput(fields, typed);
  const changed = changedInput(readMonitorInput(fields, known), input);
  const url = `${baseUrl}/api/monitors`;
  const command =
    id === null
      ? formatCurl({
          method: 'POST',
          url,
          body: { name: input.name, ...(input.url === undefined ? {} : { url: input.url }), ...changed },
        })
      : formatCurl({ method: 'PUT', url: `${url}/${id}`, body: changed });
  const isEmpty = id !== null && Object.keys(changed).length === 0;
  return (
    <Fold title="As curl" hint="the API call for this form">
      {isEmpty ? (
        <p className="text-muted">No changes yet.</p>
      ) : (
        <CodeBlock text={command} label="Copy command" />
      )}
      {command.includes(HIDDEN) ? (
        <p className="text-xs text-muted">Replace [hidden] with the secret values.</p>
      ) : null}
    </Fold>
  );
}

/** Debounce before querying the server. */
const DEBOUNCE_MS = 400;

type BacktestPanelProps = { id: string; fields: readonly FormField[]; typed: Typed; opened: Typed };

/** Replays the last week with the numbers in the form while they are edited. */
function BacktestPanel({ id, fields, typed, opened }: BacktestPanelProps) {
  const [result, setResult] = useState<RouteResult<Backtest> | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const proposal = proposalOf(fields, typed);
  const isChanged = proposal !== proposalOf(fields, opened);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(async () => {
      setIsLoading(true);
      const next = await callRoute<Backtest>(`/monitors/${id}/backtest`, JSON.parse(proposal), signal);
      if (signal.aborted) return;
      setResult(next);
      setIsLoading(false);
    }, DEBOUNCE_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id, proposal]);

  return (
    <div
      role="status"
      aria-label="Backtest"
      aria-busy={isLoading}
      className={cn(
        'rounded-lg border border-line bg-sunken px-3 py-2.5',
        // Not the first text, which would be too faint to read.
        isLoading && result !== null && 'opacity-90 transition-opacity delay-300',
      )}
    >
      {result === null ? (
        <p className="text-muted">Replaying the last 7 days…</p>
      ) : result.ok ? (
        <BacktestResult
          backtest={result.value}
          isChanged={isChanged}
          isGroup={findCheckType(typed.type)?.follows === 'members'}
        />
      ) : (
        <p className="text-muted">
          {Object.keys(result.errors).length > 0
            ? 'Fill in these numbers to see how they would have changed recent alerts.'
            : result.message}
        </p>
      )}
    </div>
  );
}

/** The replayed fields as JSON, to compare and send. */
function proposalOf(fields: readonly FormField[], typed: Typed): string {
  const replayed = fields.filter(({ isReplayed }) => isReplayed);
  return JSON.stringify(readMonitorInput(replayed, typed));
}
