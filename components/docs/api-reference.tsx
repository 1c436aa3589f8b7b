import type { ReactNode } from 'react';
import { Contents, type SectionLink } from './contents';
import { FieldTable } from './field-table';
import { EventArticle } from './guide/webhooks';
import { OperationArticle } from './operation-article';
import type { ObjectView, Reference } from './reference';

type Props = {
  serviceName: string;
  baseUrl: string;
  documentUrl: string;
  reference: Reference;
  guides: SectionLink[];
  /** The sections of `guides`. */
  children: ReactNode;
};

/** The whole reference: contents, guide, operations, events and objects. */
export function ApiReference({ serviceName, baseUrl, documentUrl, reference, guides, children }: Props) {
  const contents = <Contents guides={guides} reference={reference} />;
  return (
    <div className="mx-auto max-w-[100rem] px-4 sm:px-6 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-x-8">
      <div
        data-scroller=""
        className="sticky top-14 h-[calc(100dvh-3.5rem)] overflow-y-auto border-r border-line pr-2 max-lg:hidden"
      >
        {contents}
      </div>
      <main id="content" className="min-w-0 pb-24">
        <div className="py-8">
          <h1 className="text-2xl font-semibold">{serviceName} API</h1>
          <p className="mt-2 max-w-3xl text-muted">
            REST with JSON. Every path below begins with{' '}
            <code className="font-mono text-[0.8125rem] wrap-anywhere text-ink">{baseUrl}</code>. This page is
            drawn from the{' '}
            <a href={documentUrl} className="text-accent underline">
              OpenAPI document
            </a>
            , which is made from the schemas that validate requests and answers.
          </p>
        </div>
        <details className="mb-8 rounded-md border border-line bg-surface lg:hidden">
          <summary className="px-3 py-2 font-medium">Contents</summary>
          <div className="border-t border-line px-1">{contents}</div>
        </details>
        {children}
        {reference.groups.map(({ name, title, operations }) => (
          <Part key={name} id={name} title={title}>
            {operations.map((operation) => (
              <OperationArticle key={operation.id} operation={operation} />
            ))}
          </Part>
        ))}
        <Part id="events" title="Events">
          {reference.events.map((event) => (
            <EventArticle key={event.id} event={event} />
          ))}
        </Part>
        <Part id="objects" title="Objects">
          {reference.objects.map((object) => (
            <ObjectArticle key={object.id} object={object} />
          ))}
        </Part>
      </main>
    </div>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div id={id} className="scroll-mt-14 border-t-2 border-line-strong pt-6">
      <h2 className="pb-4 text-lg font-semibold">
        <a href={`#${id}`} className="hover:underline">
          {title}
        </a>
      </h2>
      {children}
    </div>
  );
}

function ObjectArticle({ object: { id, name, fields } }: { object: ObjectView }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      data-entry={name}
      data-hint="Object"
      className="flex max-w-3xl scroll-mt-12 flex-col gap-3 border-t border-line py-8"
    >
      <h3 id={`${id}-title`} className="font-mono text-base font-semibold">
        <a href={`#${id}`} className="hover:underline">
          {name}
        </a>
      </h3>
      <FieldTable id={id} caption="Fields" fields={fields} isAnswer />
    </section>
  );
}
