import { capitalize } from '@/lib/core/text';
import { type DocField, describeField, listFields, listIgnored, nameType } from './fields';
import type { GuideSection } from './guide';
import {
  type ApiDocument,
  type ApiOperation,
  type Components,
  exampleOf,
  jsonSchema,
  refName,
  resolve,
  VERBS,
  type Verb,
} from './openapi';
import type { SearchEntry } from './rank-entries';
import { FORMAT_SAMPLE, LANGUAGES, pretty, sampleRequest } from './samples';

/** Everything that the reference shows. */
export type Reference = ReturnType<typeof readReference>;

/** One operation as the reference shows it. */
export type OperationView = ReturnType<typeof viewOperation>;

/** A type of object in responses. */
export type ObjectView = Reference['objects'][number];

/** An event that is sent to webhook endpoints. */
export type EventView = Reference['events'][number];

/** All possible search results. */
export function listEntries({ groups, objects, events }: Reference, guides: GuideSection[]): SearchEntry[] {
  const operations = groups.flatMap((group) => group.operations);
  return [
    ...guides.map(({ id, title, page }) => section(`${page}#${id}`, title, 'Guide')),
    ...operations.flatMap(({ href, method, path, summary, parameters, body }) => {
      const hint = `${method.toUpperCase()} ${path}`;
      const tables = [...parameters, ...(body ? [{ place: 'body', fields: body.fields }] : [])];
      return [
        section(href, summary, hint),
        ...tables.flatMap(({ place, fields }) => fieldEntries(`${href}-${place}`, hint, fields)),
      ];
    }),
    ...[...events, ...objects].flatMap(({ href, name, fields, kind }) => [
      section(href, name, kind),
      ...fieldEntries(href, name, fields),
    ]),
  ];
}

function section(href: string, label: string, hint: string): SearchEntry {
  return { href, label, hint, kind: 'section' };
}

function fieldEntries(href: string, hint: string, fields: DocField[]): SearchEntry[] {
  return fields.map(({ path }) => ({ href: `${href}-${path}`, label: path, hint, kind: 'field' }));
}

/** The first groups; the others follow in the order of the document. */
const FIRST = ['monitors', 'incidents', 'status-pages', 'webhooks', 'deliveries', 'api-keys', 'me'];

/** Converts an OpenAPI document for display. `baseUrl`, used in samples, ends in `/api`. */
export function readReference(document: ApiDocument, baseUrl: string) {
  const components = document.components?.schemas ?? {};
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    VERBS.flatMap((method) => {
      const operation = methods[method];
      return operation ? [{ tag: operation.tags?.[0] ?? '', method, path, operation }] : [];
    }),
  );
  const tags = [...new Set([...FIRST, ...operations.map(({ tag }) => tag)])];
  return {
    groups: tags
      .map((name) => ({
        name,
        title: groupTitle(name),
        operations: operations
          .filter(({ tag }) => tag === name)
          .sort(byPathAndVerb)
          .map((each) => viewOperation(each, each.operation, components, baseUrl)),
      }))
      .filter((group) => group.operations.length > 0),
    // Bodies of requests are shown with their operation.
    objects: Object.entries(components)
      .filter(([name, schema]) => schema.properties && !isOnlySent(name, document))
      .map(([name, schema]) => ({
        id: `object-${slugify(name)}`,
        href: objectHref(name),
        kind: 'Object',
        name,
        fields: listFields(schema, components),
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    events: Object.entries(document.webhooks ?? {}).map(([name, { post }]) => {
      const schema = resolve(jsonSchema(post?.requestBody) ?? {}, components);
      const id = `event-${slugify(name)}`;
      const fields = listFields(schema, components);
      const example = pretty(exampleOf(post?.requestBody));
      return { id, href: `/docs/events#${id}`, kind: 'Event', name, fields, example };
    }),
  };
}

/** Whether a type of object occurs in requests, but neither in a response, nor an event, nor another type of object. */
function isOnlySent(name: string, { paths = {}, webhooks = {}, components = {} }: ApiDocument): boolean {
  const reference = `"#/components/schemas/${name}"`;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const mentions = (part: unknown) => JSON.stringify(part ?? null).includes(reference);
  return (
    operations.some(({ requestBody }) => mentions(requestBody)) &&
    !operations.some(({ responses }) => mentions(responses)) &&
    !mentions(webhooks) &&
    !mentions(components)
  );
}

/** The anchor of an operation: `get-monitors-id`. */
export function operationId(method: string, path: string): string {
  return slugify(`${method}${path}`);
}

/** The address of a type of object. */
export function objectHref(name: string): string {
  return `/docs/objects#object-${slugify(name)}`;
}

/** The anchor of a title, as repository browsers also derive it. */
export function slugify(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function groupTitle(tag: string): string {
  if (tag === 'api-keys') return 'API keys';
  const words = tag.replaceAll('-', ' ');
  return capitalize(words);
}

type Place = { method: Verb; path: string };

/** Collections before their items, and within a path in the order of VERBS. */
function byPathAndVerb(a: Place, b: Place): number {
  const depth = a.path.split('/').length - b.path.split('/').length;
  const fixed = Number(a.path.endsWith('}')) - Number(b.path.endsWith('}'));
  const paths = a.path.localeCompare(b.path);
  return depth || (fixed === 0 ? paths : -fixed) || VERBS.indexOf(a.method) - VERBS.indexOf(b.method);
}

function viewOperation(
  { method, path }: Place,
  operation: ApiOperation,
  components: Components,
  baseUrl: string,
) {
  const request = sampleRequest({ method, path, baseUrl }, operation);
  const body = jsonSchema(operation.requestBody);
  const id = operationId(method, path);
  return {
    /** Its anchor in the page of its topic. */
    id,
    href: `/docs/${operation.tags?.[0] ?? ''}#${id}`,
    method,
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? null,
    isPublic: operation.security?.length === 0,
    /** Parameters by location; empty groups are omitted. */
    parameters: viewParameters(operation),
    body: body && {
      fields: listFields(resolve(body, components), components),
      ignored: listIgnored(resolve(body, components)),
      isRequired: operation.requestBody?.required ?? false,
    },
    response: viewResponse(operation),
    errors: Object.entries(operation.responses ?? {})
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description = '' }]) => ({ status, codes: description })),
    samples: LANGUAGES.map((each) => ({ ...each, text: FORMAT_SAMPLE[each.language](request) })),
  };
}

function viewParameters({ parameters = [] }: ApiOperation) {
  return (['path', 'query', 'header'] as const)
    .map((place) => ({
      place,
      fields: parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema = {}, required = place === 'path', description }) => ({
          ...describeField(name, schema, required),
          ...(description ? { description } : {}),
        })),
    }))
    .filter(({ fields }) => fields.length > 0);
}

function viewResponse({ responses = {} }: ApiOperation) {
  const [status = '200', response] = Object.entries(responses).find(([code]) => Number(code) < 400) ?? [];
  const schema = jsonSchema(response) ?? {};
  return {
    status,
    type: nameType(schema),
    object: refName(schema) ?? (schema.items ? refName(schema.items) : null),
    isPaged: response?.headers !== undefined,
    example: pretty(exampleOf(response) ?? null),
  };
}
