import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/forms/field';
import { countOf, listOf } from '@/lib/importing/plan/sentences';
import { FIRST_SOURCE, sourceNameSchema } from '@/lib/schemas/monitor/import';

const MAX_SHOWN = 3;

type Props = {
  /** What the files of the format come from, such as `Uptime Kuma`. */
  product: string;
  /** The name of the first source. */
  first: string;
  /** The monitors that would become others, as `before → after`. */
  replaced: readonly string[];
  onChoose: (source: string) => void;
};

/** What is wrong with the name of another source; undefined if nothing is. */
export function findNameProblem(name: string, first: string): string | undefined {
  if (name === '') return 'Enter a name.';
  // Both names stand for the first source.
  if (name === first || name === FIRST_SOURCE)
    return 'This is the name of the first source. Enter another one.';
  return sourceNameSchema.safeParse(name).error?.issues[0]?.message;
}

/** Asks which source a file is of, because its monitors would become others. */
export function SourceChoice({ product, first, replaced, onChoose }: Props) {
  const [error, setError] = useState<string | undefined>();
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('source') ?? '').trim();
    const problem = findNameProblem(name, first);
    setError(problem);
    if (problem === undefined) onChoose(name);
  };
  const more = replaced.length - MAX_SHOWN;
  const names = [...replaced.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more`] : [])];
  return (
    <form
      onSubmit={choose}
      noValidate
      aria-label="Source of the file"
      className="flex flex-col gap-3 rounded-md border border-slow/30 bg-slow-wash px-3 py-3"
    >
      <p className="font-medium">Is this file from another installation or account of {product}?</p>
      <p className="wrap-anywhere">
        {countOf(replaced.length, 'monitor')} would get another name and, except heartbeats, another target:{' '}
        {listOf(names)}.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          name="source"
          label="Name of the other one"
          placeholder="branch-office"
          autoComplete="off"
          spellCheck={false}
          error={error}
          onChange={() => setError(undefined)}
          className="w-full sm:w-64"
        />
        <Button type="submit" tone="primary">
          Add as another source
        </Button>
        <Button onClick={() => onChoose(first)}>Same source: change these monitors</Button>
      </div>
      <p className="text-xs text-muted">
        Monitors of another source get its name in their reference, so that both can be imported again.
      </p>
    </form>
  );
}
