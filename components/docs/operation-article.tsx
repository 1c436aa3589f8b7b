import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Markdown } from '@/components/ui/markdown';
import { Code, CodePanel, SampleTabs } from './code-panel';
import { MethodLabel } from './docs-shell';
import type { DocField } from './fields';
import { type EventView, type ObjectView, type OperationView, objectHref } from './reference';

/** Styles of everything in the rows, set once because there are hundreds of them. */
const LOOK = cn(
  'w-full table-fixed border-collapse text-left',
  '[&_tbody_tr]:scroll-mt-16 [&_tbody_tr]:border-t [&_tbody_tr]:border-line [&_tr:target]:bg-sunken',
  '[&_td]:py-2 [&_td]:pl-3 [&_td]:align-top [&_td]:wrap-anywhere [&_th]:w-2/5 [&_th]:py-2 [&_th]:align-top [&_th]:font-normal',
  '[&_code]:font-mono [&_small]:text-xs [&_small]:text-muted [&_small_code]:text-ink [&_td_small]:mr-2',
  '[&_th_code]:text-[0.8125rem] [&_th_code]:wrap-anywhere [&_th_small]:block [&_a]:text-accent [&_a]:underline',
  '[&_b]:mr-2 [&_b]:text-xs [&_b]:font-medium [&_b]:text-slow',
);

const PLACES = { path: 'Path', query: 'Query parameters', header: 'Headers' } as const;

/** One operation: description, parameters and response, next to samples. */
export function OperationArticle({ operation }: { operation: OperationView }) {
  const { id, method, path, summary, description, parameters, body, samples } = operation;
  return (
    <Article
      id={id}
      title={summary}
      aside={
        <>
          <SampleTabs id={id} of={summary} samples={samples} />
          <details open data-panel="">
            <summary className="bg-surface px-3 py-1.5 text-xs text-muted">
              Response <span className="font-mono text-ink">{operation.response.status}</span>
            </summary>
            <Code text={operation.response.example} label={`Copy the example response: ${summary}`} />
          </details>
        </>
      }
    >
      <p className="-mt-3.5 flex flex-wrap items-baseline gap-x-2 font-mono text-[0.8125rem] wrap-anywhere">
        <MethodLabel method={method} />
        {path}
        <span className="font-sans text-xs text-muted">{formatAccess(operation)}</span>
      </p>
      {description ? <Markdown text={description} topLevel={3} /> : null}
      {parameters.map(({ place, fields }) => (
        <FieldTable key={place} id={`${id}-${place}`} caption={PLACES[place]} fields={fields} />
      ))}
      {body ? (
        <FieldTable
          id={`${id}-body`}
          caption={body.isRequired ? 'Body' : 'Body (optional)'}
          fields={body.fields}
        />
      ) : null}
      {body && body.ignored.length > 0 ? (
        <p className="-mt-3 text-xs text-muted">
          Read-only fields, accepted and ignored: {body.ignored.join(', ')}.
        </p>
      ) : null}
      <Response operation={operation} />
    </Article>
  );
}

/** One event: its fields and an example body. */
export function EventArticle({ event: { id, name, fields, example } }: { event: EventView }) {
  return (
    <Article
      id={id}
      title={name}
      isCode
      aside={<CodePanel text={example} label={`Copy the example of ${name}`} />}
    >
      <FieldTable id={id} caption="Payload" fields={fields} isOutput />
    </Article>
  );
}

/** One type of object in responses. */
export function ObjectArticle({ object: { id, name, fields } }: { object: ObjectView }) {
  return (
    <Article id={id} title={name} isCode>
      <FieldTable id={id} caption="Fields" fields={fields} isOutput />
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
          <a href={`#${id}`} className="touch-area inline-block hover:underline">
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

function Response({ operation: { response, errors } }: { operation: OperationView }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="[&_a]:text-accent [&_a]:underline">
        Returns <span className="font-mono">{response.status}</span> with <TypeName field={response} />
        {response.isPaged ? ', in pages; the Link header contains the next page' : null}.
      </p>
      <details className="text-muted">
        <summary className="w-fit text-xs">Errors</summary>
        <ul className="pt-1 text-xs">
          {errors.map(({ status, codes }) => (
            <li key={status} className="wrap-anywhere">
              <span className="font-mono text-ink">{status}</span> {codes}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function formatAccess({ isPublic, errors }: OperationView): string {
  if (isPublic) return 'no key required';
  return errors.some(({ codes }) => codes.includes('FORBIDDEN')) ? 'requires the scope write' : 'any key';
}

type TableProps = { id: string; caption: string; fields: DocField[]; isOutput?: boolean };

/** Fields with type, default, limits and description. In requests it marks required fields, in responses optional ones. */
function FieldTable({ id, caption, fields, isOutput = false }: TableProps) {
  return (
    <table className={LOOK}>
      <caption className="pb-1.5 text-left text-xs font-medium tracking-wide text-muted uppercase">
        {caption}
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Field and type</th>
          <th scope="col">Description</th>
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
              <Rules field={field} isOutput={isOutput} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A type as text, with a link to the object it refers to. */
function TypeName({ field: { type, object } }: { field: Pick<DocField, 'type' | 'object'> }) {
  if (object === null) return type;
  const [before = '', after = ''] = type.split(object);
  return (
    <>
      {before}
      <a href={objectHref(object)} className="touch-area">
        {object}
      </a>
      {after}
    </>
  );
}

function Rules({ field, isOutput }: { field: DocField; isOutput: boolean }) {
  const { description, values, limits } = field;
  return (
    <>
      {field.required === isOutput ? null : <b>{isOutput ? 'optional' : 'required'}</b>}
      {field.default !== null && field.default !== '{}' ? (
        <small>
          default <code>{field.default}</code>
        </small>
      ) : null}
      {limits.map((limit) => (
        <small key={limit}>{limit.startsWith('^') ? <code>{limit}</code> : limit}</small>
      ))}
      {description ? <Markdown text={description} topLevel={3} /> : null}
      {values.length > 0 ? (
        <small>
          {values.length === 1 ? 'always' : 'one of'} <code>{values.join(', ')}</code>
        </small>
      ) : null}
    </>
  );
}
