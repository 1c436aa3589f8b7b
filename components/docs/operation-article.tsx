import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Code, CodePanel, SampleTabs } from './code-panel';
import { MethodLabel } from './docs-shell';
import type { Field } from './fields';
import { type EventView, type ObjectView, type OperationView, objectHref } from './reference';

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

const PLACES = { path: 'Path', query: 'Query parameters', header: 'Headers' } as const;
const NAMES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;

/** One operation: what it does, takes and returns, and next to it how to call it. */
export function OperationArticle({ operation }: { operation: OperationView }) {
  const { id, method, path, summary, description, parameters, body } = operation;
  const samples = (['curl', 'javascript', 'python'] as const).map((language) => ({
    language,
    name: NAMES[language],
    text: operation.samples[language],
  }));
  return (
    <Article
      id={id}
      title={summary}
      aside={
        <>
          <SampleTabs id={id} of={summary} samples={samples} />
          <details open data-panel="">
            <summary className="bg-surface px-3 py-1.5 text-xs text-muted">
              Answer <span className="font-mono text-ink">{operation.answer.status}</span>
            </summary>
            <Code text={operation.answer.example} label={`Copy the example answer: ${summary}`} />
          </details>
        </>
      }
    >
      <p className="-mt-3.5 flex flex-wrap items-baseline gap-x-2 font-mono text-[0.8125rem] wrap-anywhere">
        <MethodLabel method={method} />
        {path}
        <span className="font-sans text-xs text-muted">{describeKey(operation)}</span>
      </p>
      {description ? <p>{description}</p> : null}
      {parameters.map(({ place, fields }) => (
        <FieldTable key={place} id={`${id}-${place}`} caption={PLACES[place]} fields={fields} />
      ))}
      {body ? (
        <FieldTable
          id={`${id}-body`}
          caption={body.isRequired ? 'Body' : 'Body, which may be left out'}
          fields={body.fields}
        />
      ) : null}
      {body && body.ignored.length > 0 ? (
        <p className="-mt-3 text-xs text-muted">
          Accepted and ignored, so that a fetched object can be sent back: {body.ignored.join(', ')}.
        </p>
      ) : null}
      <Answer operation={operation} />
    </Article>
  );
}

/** One event: its fields, and a body as it is sent. */
export function EventArticle({ event: { id, name, fields, example } }: { event: EventView }) {
  return (
    <Article
      id={id}
      title={name}
      isCode
      aside={<CodePanel text={example} label={`Copy the example of ${name}`} />}
    >
      <FieldTable id={id} caption="Payload" fields={fields} isAnswer />
    </Article>
  );
}

/** One kind of object that responses hold. */
export function ObjectArticle({ object: { id, name, fields } }: { object: ObjectView }) {
  return (
    <Article id={id} title={name} isCode>
      <FieldTable id={id} caption="Fields" fields={fields} isAnswer />
    </Article>
  );
}

type ArticleProps = { id: string; title: string; isCode?: boolean; aside?: ReactNode; children: ReactNode };

function Article({ id, title, isCode = false, aside, children }: ArticleProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      data-entry=""
      className="grid scroll-mt-12 gap-x-8 gap-y-4 border-t border-line py-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <h2 id={`${id}-title`} className={`text-base font-semibold ${isCode ? 'font-mono' : ''}`}>
          <a href={`#${id}`} className="hover:underline">
            {title}
          </a>
        </h2>
        {children}
      </div>
      {aside ? (
        <div className="flex min-w-0 flex-col gap-3 xl:sticky xl:top-20 xl:self-start">{aside}</div>
      ) : null}
    </section>
  );
}

function Answer({ operation: { answer, refusals } }: { operation: OperationView }) {
  const [before = '', after = ''] = answer.object ? answer.type.split(answer.object) : [answer.type];
  return (
    <div className="flex flex-col gap-1">
      <p>
        Answers <span className="font-mono">{answer.status}</span> with {before}
        {answer.object ? (
          <a href={objectHref(answer.object)} className="text-accent underline">
            {answer.object}
          </a>
        ) : null}
        {after}
        {answer.isPaged ? ', page by page; the next page is in the header Link' : null}.
      </p>
      <details className="text-muted">
        <summary className="w-fit text-xs">Refusals</summary>
        <ul className="pt-1 text-xs">
          {refusals.map(({ status, codes }) => (
            <li key={status} className="wrap-anywhere">
              <span className="font-mono text-ink">{status}</span> {codes}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function describeKey({ isPublic, refusals }: OperationView): string {
  if (isPublic) return 'no key needed';
  return refusals.some(({ codes }) => codes.includes('FORBIDDEN')) ? 'key with scope write' : 'any key';
}

/** Fields with type, whether they are required, default, limits and meaning. What is answered is always there. */
function FieldTable({ id, caption, fields, isAnswer = false }: Props) {
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
