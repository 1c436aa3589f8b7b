import { cn } from '@/components/ui/cn';
import type { Field } from './fields';
import { objectHref } from './reference';

type Props = { id: string; caption: string; fields: Field[]; isAnswer?: boolean };

/** The look of all that stands in the rows, said once: there are hundreds of them. */
const LOOK = cn(
  'w-full table-fixed border-collapse text-left',
  '[&_tbody_tr]:scroll-mt-16 [&_tbody_tr]:border-t [&_tbody_tr]:border-line [&_tr:target]:bg-sunken',
  '[&_td]:py-2 [&_td]:pl-3 [&_td]:align-top [&_td]:wrap-anywhere [&_th]:w-2/5 [&_th]:py-2 [&_th]:align-top [&_th]:font-normal',
  '[&_code]:font-mono [&_small]:text-xs [&_small]:text-muted [&_small_code]:text-ink [&_td_small]:mr-2',
  '[&_th_code]:text-[0.8125rem] [&_th_code]:wrap-anywhere [&_th_small]:block [&_a]:text-accent [&_a]:underline',
  '[&_b]:mr-2 [&_b]:text-xs [&_b]:font-medium [&_b]:text-slow',
);

/** Fields with type, whether they are required, default, limits and meaning. What is answered is always there. */
export function FieldTable({ id, caption, fields, isAnswer = false }: Props) {
  return (
    <table className={LOOK}>
      <caption className="pb-1.5 text-left text-xs font-medium tracking-wide text-muted uppercase">
        {caption}
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Field and type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.path} id={`${id}-${field.path}`}>
            <th scope="row">
              <code>{field.path}</code>
              <small>
                <TypeName field={field} />
              </small>
            </th>
            <td>
              <Rules field={field} isAnswer={isAnswer} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TypeName({ field: { type, object } }: { field: Field }) {
  if (object === null) return type;
  const [before = '', after = ''] = type.split(object);
  return (
    <>
      {before}
      <a href={objectHref(object)}>{object}</a>
      {after}
    </>
  );
}

function Rules({ field, isAnswer }: { field: Field; isAnswer: boolean }) {
  const { description, values, limits } = field;
  return (
    <>
      {field.required === isAnswer ? null : <b>{isAnswer ? 'not always there' : 'required'}</b>}
      {field.default !== null && field.default !== '{}' ? (
        <small>
          default <code>{field.default}</code>
        </small>
      ) : null}
      {limits.map((limit) => (
        <small key={limit}>{limit.startsWith('^') ? <code>{limit}</code> : limit}</small>
      ))}
      {description ? <p>{description}</p> : null}
      {values.length > 0 ? (
        <small>
          {values.length === 1 ? 'always' : 'one of'} <code>{values.join(', ')}</code>
        </small>
      ) : null}
    </>
  );
}
