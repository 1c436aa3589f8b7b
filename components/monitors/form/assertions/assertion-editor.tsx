import { Plus } from 'lucide-react';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldNotes } from '@/components/ui/forms/field';
import { MAX_ASSERTIONS } from '@/lib/checks/assertions/assertion';
import { AssertionRow } from './assertion-row';
import type { Judge } from './judge-rows';
import type { JudgedAssertion, Tested } from './judged';
import { changeRow, type EditedAssertion, newRow, readRows, showRows, sourcesOf } from './rows';

type Props = {
  name: string;
  label: string;
  hint?: string;
  /** The initial value. */
  value: string;
  type: string;
  /** By path, such as `assertions.2.target`. */
  errors: Record<string, string>;
  /** The last test; null before the first. */
  tested: Tested | null;
};

/** Edits assertions as rows. One hidden field has the value, which the form submits and everything else reads. */
export function AssertionEditor({ name, label, hint, value, type, errors, tested }: Props) {
  const [rows, setRows] = useState(() => showRows(value).map((row, key) => ({ ...row, key })));
  const nextKey = useRef(rows.length);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const sources = sourcesOf(type);
  // Those that the type does not have stay in the field, in case another is selected; they are not sent.
  const shown = useMemo(() => rows.filter(({ source }) => sources.includes(source)), [rows, sources]);
  const judged = useJudged(shown, tested);

  /** Sets the value before the form reads it, which it does when the event arrives there. */
  const replace = (next: (EditedAssertion & { key: number })[]) => {
    if (field.current) field.current.value = JSON.stringify(readRows(next));
    setRows(next);
  };
  const announce = () => field.current?.dispatchEvent(new Event('input', { bubbles: true }));
  const change = (key: number, changes: Partial<EditedAssertion>) =>
    replace(rows.map((row) => (row.key === key ? { ...changeRow(row, changes), key } : row)));
  const add = () => {
    const [source = 'responseTime'] = sources;
    replace([...rows, { ...newRow(source), key: nextKey.current++ }]);
    announce();
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child select')?.focus());
  };
  const remove = (key: number) => {
    replace(rows.filter((row) => row.key !== key));
    announce();
  };

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {/* Not a default value, which React would restore at the next render: hidden fields have no other one. */}
      <input ref={field} type="hidden" name={name} value={JSON.stringify(readRows(rows))} readOnly />
      {shown.length === 0 ? null : (
        <ol ref={list} className="flex flex-col gap-2">
          {shown.map((row, index) => (
            <AssertionRow
              key={row.key}
              row={row}
              number={index + 1}
              sources={sources}
              errors={errorsOf(errors, `${name}.${index}`)}
              judged={judged?.[index] ?? null}
              onInput={(changes: Partial<EditedAssertion>, _event: FormEvent) => change(row.key, changes)}
              onRemove={() => remove(row.key)}
            />
          ))}
        </ol>
      )}
      <Button icon={<Plus />} onClick={add} disabled={shown.length >= MAX_ASSERTIONS} className="self-start">
        Add assertion
      </Button>
      <FieldNotes name={name} label={label} hint={hint} error={errors[name]} />
    </fieldset>
  );
}

/** The errors of a row by its part. */
function errorsOf(errors: Record<string, string>, path: string): Record<string, string> {
  const own = Object.entries(errors).filter(([name]) => name.startsWith(`${path}.`));
  return Object.fromEntries(own.map(([name, error]) => [name.slice(path.length + 1), error]));
}

/** Judges rows by the last response as they are typed. What that takes is loaded after the first test. */
function useJudged(rows: readonly EditedAssertion[], tested: Tested | null): JudgedAssertion[] | null {
  const [judge, setJudge] = useState<{ run: Judge } | null>(null);
  const isNeeded = tested !== null && rows.length > 0;
  useEffect(() => {
    if (!isNeeded || judge !== null) return;
    let isLeft = false;
    import('./judge-rows').then(
      ({ judgeRows }) => !isLeft && setJudge({ run: judgeRows }),
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [isNeeded, judge]);
  return useMemo(
    () => (tested === null || judge === null ? null : judge.run(readRows(rows), tested)),
    [rows, tested, judge],
  );
}
