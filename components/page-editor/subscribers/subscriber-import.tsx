'use client';

import { type ChangeEvent, useState } from 'react';
import { EmailOffNote } from '@/components/mail-server/email-off-note';
import { nameOfLanguage } from '@/components/translations/translation-names';
import { Banner } from '@/components/ui/banner';
import { CheckField, SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { FormButtons, useTyped } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { decodeText } from '@/lib/importing/files/decode';
import { LANGUAGES } from '@/lib/schemas/language';
import { MAX_IMPORTED_LINES, type SubscriberImport } from '@/lib/schemas/status-pages/subscriber-import';
import { CONFIRMED_IMPORT } from '../consequences';

/** The state of the form, with what became of the last import. */
export type SubscriberImportState = FormState & { imported?: SubscriberImport };

type Props = {
  /** The screen of subscribers. */
  listHref: string;
  /** Whether this service can send email; if not, whether the person may set it up. */
  mail: { isOn: boolean; maySetUp: boolean };
  /** Whether the person may declare that the addresses are confirmed. */
  mayDeclare: boolean;
  run: (state: SubscriberImportState, form: FormData) => Promise<SubscriberImportState>;
};

const LANGUAGE_OPTIONS = LANGUAGES.map((value) => ({ value, label: nameOfLanguage(value) }));
const HINT = 'Choose a CSV or text file with one email address per line.';

/** Imports addresses from a pasted list or a file, which fills in the list, and shows the result. */
export function SubscriberImportForm({ listHref, mail, mayDeclare, run }: Props) {
  const [state, action, isPending] = useSubmission<SubscriberImportState>(
    run,
    freshState({ csv: '', language: 'en' }),
  );
  const { typed, setTyped, bind } = useTyped({ csv: state.values.csv ?? '' }, state.errors);
  const [isConfirmed, setConfirmed] = useState(state.values.confirmed === 'on');
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const readFile = async ({ target: { files } }: ChangeEvent<HTMLInputElement>) => {
    const [file] = files ?? [];
    if (file === undefined) return;
    try {
      setTyped({ ...typed, csv: decodeText(new Uint8Array(await file.arrayBuffer()), HINT) });
      setFileProblem(null);
    } catch (error) {
      setFileProblem(error instanceof Error ? error.message : HINT);
    }
  };
  return (
    <GuardedForm action={action} state={state} className="flex max-w-2xl flex-col gap-5">
      {state.imported ? <ImportResult {...state.imported} /> : null}
      {mail.isOn || isConfirmed ? null : (
        <Banner tone="slow">
          <EmailOffNote maySetUp={mail.maySetUp} /> Confirmation links wait for it up to 7 days; addresses
          that never got one are then deleted.
        </Banner>
      )}
      <p className="text-muted">
        {isConfirmed
          ? 'Subscribers who are still to confirm become confirmed. All others who are on the page already are not changed.'
          : 'Each new address is emailed a confirmation link, up to 200 an hour, and gets notifications once it is confirmed. Existing subscribers are not changed.'}
      </p>
      <TextField
        name="file"
        label="File"
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        error={fileProblem ?? undefined}
        hint="Fills in the list below."
        onChange={readFile}
        style={{ paddingBlock: '0.4rem' }}
      />
      <TextArea
        {...bind('csv')}
        label="List"
        rows={10}
        placeholder={'email,rows\nada@example.com,\ngrace@example.com,Checkout API; Login'}
        hint={`One email address per line, or CSV with the columns email, rows and language. Rows are IDs or names on this page, separated by semicolons; without any, the address gets everything. Up to ${MAX_IMPORTED_LINES.toLocaleString('en')} lines.`}
        spellCheck={false}
      />
      <SelectField
        {...fieldOf(state, 'language')}
        label="Language"
        options={LANGUAGE_OPTIONS}
        hint="For addresses without a language of their own."
        className="max-w-60"
      />
      {mayDeclare ? <Declaration state={state} isConfirmed={isConfirmed} declare={setConfirmed} /> : null}
      <FormButtons cancelHref={listHref} isPending={isPending}>
        {isPending ? 'Importing…' : 'Import'}
      </FormButtons>
    </GuardedForm>
  );
}

type DeclarationProps = {
  state: FormState;
  isConfirmed: boolean;
  declare: (isConfirmed: boolean) => void;
};

function Declaration({ state, isConfirmed, declare }: DeclarationProps) {
  return (
    <>
      <CheckField
        name="confirmed"
        label="They already confirmed their subscription"
        hint={CONFIRMED_IMPORT}
        checked={isConfirmed}
        onChange={(event) => declare(event.target.checked)}
      />
      {isConfirmed ? (
        <TextField
          {...fieldOf(state, 'source')}
          label="Where they confirmed it"
          placeholder="Statuspage"
          required
          maxLength={100}
          hint="For the audit log."
          className="max-w-60"
        />
      ) : null}
    </>
  );
}

function ImportResult({ created, existing, confirmed, invalid, refused }: SubscriberImport) {
  const more = invalid - refused.length;
  const declared = confirmed > 0 ? ` ${confirmed.toLocaleString('en')} confirmed.` : '';
  return (
    <section aria-label="Result" className="flex flex-col gap-3" role="status">
      <Banner tone={invalid > 0 ? 'slow' : 'note'}>
        {`${countOf(created, 'new address', 'new addresses')}, ${existing.toLocaleString('en')} already there, ${countOf(invalid, 'invalid line', 'invalid lines')}.${declared}`}
      </Banner>
      {refused.length > 0 ? (
        <ul className="max-h-72 overflow-auto rounded-lg border border-line bg-surface">
          {refused.map(({ line, message }) => (
            <li key={line} className="border-b border-line px-4 py-1.5 last:border-0">
              <span className="inline-block w-20 text-muted tabular-nums">Line {line}</span> {message}
            </li>
          ))}
          {more > 0 ? <li className="px-4 py-1.5 text-muted">and {more.toLocaleString('en')} more</li> : null}
        </ul>
      ) : null}
    </section>
  );
}

function countOf(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
