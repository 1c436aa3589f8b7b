import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Responses = Record<string, { content?: Record<string, unknown> }>;
type Described = { paths: Record<string, Record<string, { responses: Responses }>> };

/** The document of a service, and how to validate what it describes. */
type Contract = { document: Described; validatorOf(pointer: string): ValidateFunction };

const contracts = new Map<string, Promise<Contract>>();

/** A response of the API to check; `path` is that of the request, below /api. */
export type Received = { method: string; path: string; status: number; headers: Headers; text: string };

/**
 * Throws if the OpenAPI document of the service at `url` does not describe a response: its status, and its body. Paths and
 * methods that the document does not have are not its subject.
 */
export async function requireDescribed(url: string, received: Received): Promise<void> {
  const { method, path, status, headers, text } = received;
  if (status === 304 || text === '') return;
  const { document, validatorOf } = await readContract(url);
  const template = findTemplate(Object.keys(document.paths), path);
  const verb = method.toLowerCase();
  const responses = template === null ? undefined : document.paths[template]?.[verb]?.responses;
  if (template === null || responses === undefined) return;
  const complaint = (what: string) =>
    new Error(`${method} ${path}: ${what}: ${status} ${text.slice(0, 500)}`);
  const content = responses[String(status)]?.content;
  if (content === undefined) throw complaint('the document does not describe this status');
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!(type in content)) throw complaint(`the document does not describe ${type}`);
  if (type !== 'application/json') return;
  const place = ['paths', template, verb, 'responses', String(status), 'content', type, 'schema'];
  const validate = validatorOf(place.map(encodePart).join('/'));
  if (validate(JSON.parse(text))) return;
  throw complaint(`the body is not as described (${JSON.stringify(validate.errors?.slice(0, 3))})`);
}

/** The document is the same for all tests of a service. */
function readContract(url: string): Promise<Contract> {
  const known = contracts.get(url) ?? loadContract(url);
  contracts.set(url, known);
  return known;
}

async function loadContract(url: string): Promise<Contract> {
  const document: Described = await (await fetch(`${url}/api/openapi.json`)).json();
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };
  return { document, validatorOf };
}

/** The path of the document that a request is for; the one with the fewest parameters, null if there is none. */
function findTemplate(templates: string[], path: string): string | null {
  const sent = path.replace(/\?.*$/s, '').replace(/\/$/, '');
  const matching = templates.filter((template) => {
    const parts = template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^/]+')}$`).test(sent);
  });
  return matching.toSorted((a, b) => a.split('{').length - b.split('{').length)[0] ?? null;
}

/** A part of a JSON pointer in a URI (RFC 6901, 6). */
function encodePart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
