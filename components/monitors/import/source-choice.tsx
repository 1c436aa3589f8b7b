import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/forms/field';
import { countOf, listOf } from '@/lib/importing/plan/sentences';
import { FIRST_SOURCE, sourceNameSchema } from '@/lib/schemas/monitor/import';

const MAX_SHOWN = 3;

type Props = {
  /** What the files of the format come from, such as `Uptime Kuma`. */
  product: string;
  /** The monitors that would become others, as `before → after`. */
  replaced: readonly string[];
  onChoose: (source: string) => void;
};

/** Asks which source a file is of, because its monitors would get both another name and another target. */
export function SourceChoice({ product, replaced, onChoose }: Props) {
  const [error, setError] = useState<string | undefined>();
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { data, error: problem } = sourceNameSchema.safeParse(
      new FormData(event.currentTarget).get('source'),
    );
    setError(problem?.issues[0]?.message);
    if (data !== undefined) onChoose(data);
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
        {countOf(replaced.length, 'monitor')} would get both another name and another target: {listOf(names)}.
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
        <Button onClick={() => onChoose(FIRST_SOURCE)}>Same source: change these monitors</Button>
      </div>
      <p className="text-xs text-muted">
        Monitors of another source get its name in their reference, so that both can be imported again.
      </p>
    </form>
  );
}
