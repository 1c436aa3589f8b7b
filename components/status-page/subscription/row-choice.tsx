import { fill } from '@/lib/core/text';
import type { RowGroup } from '@/lib/domain/subscribers/chosen-rows';
import { type ChosenRows, MAX_CHOSEN_ROWS, type RowsProblem } from '@/lib/schemas/status-pages/subscriber';
import type { Translator } from '../translator';

type Props = { groups: readonly RowGroup[]; rows: ChosenRows; t: Translator };

/** What emails are about: everything, or some rows of the page. Nothing for a page with fewer than two rows. */
export function RowChoice({ groups, rows, t }: Props) {
  const { choice } = t.messages.subscription;
  if (groups.flatMap((group) => group.rows).length < 2) return null;
  return (
    <fieldset>
      <legend>{choice.legend}</legend>
      <label>
        <input type="radio" name="scope" value="all" defaultChecked={rows === null} />
        {choice.all}
      </label>
      <label>
        <input type="radio" name="scope" value="rows" defaultChecked={rows !== null} />
        {choice.some}
      </label>
      {groups.map(({ anchor, name, rows: offered }) => (
        <ul key={anchor}>
          {name === null ? null : <li>{name}</li>}
          {offered.map((row) => (
            <li key={row.id}>
              <label>
                <input
                  type="checkbox"
                  name="row"
                  value={row.id}
                  defaultChecked={rows?.includes(row.id) ?? false}
                />
                {row.name}
              </label>
            </li>
          ))}
        </ul>
      ))}
    </fieldset>
  );
}

/** Why a choice of rows was rejected. */
export function formatRowsProblem(problem: RowsProblem, t: Translator): string {
  return fill(t.messages.subscription[problem], { n: String(MAX_CHOSEN_ROWS) });
}
