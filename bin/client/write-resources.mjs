/** @typedef {import('./read-document.mjs').OpenApiDocument} OpenApiDocument */
/** @typedef {import('./read-document.mjs').Operation} Operation */
/** @typedef {Operation & { method: string, path: string, name: string }} Documented */

/** Where the rule of `nameMethod` would give a poor name. */
const NAMES = new Map([
  ['createMonitors', 'createMany'],
  ['inviteMember', 'create'],
  ['listAuditEntries', 'list'],
  ['createMarker', 'create'],
  ['listMarkers', 'list'],
  ['getMarker', 'get'],
  ['deleteMarker', 'delete'],
  ['getUptimeReport', 'getUptime'],
  ['exportUptimeReport', 'exportUptime'],
  ['listPageTokens', 'listTokens'],
  ['createPageToken', 'createToken'],
  ['rotatePageToken', 'rotateToken'],
  ['revokePageToken', 'revokeToken'],
  ['getOpenApiDocument', 'getDocument'],
]);

/**
 * The source of the methods of the client: a class for each tag of the document, and one that has them all. Throws if two
 * operations of a tag would have the same name.
 * @param {OpenApiDocument} document
 */
export function writeResources(document) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path, name: '' })),
  );
  const groups = document.tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: operations
        .filter(({ tags }) => tags[0] === name)
        .map((operation) => ({ ...operation, name: nameMethod(operation.operationId, name) })),
    }))
    .filter((group) => group.operations.length > 0);
  for (const group of groups) requireDistinct(group);
  const properties = groups.map(
    ({ name, description }) =>
      `  /** ${description}. */\n  readonly ${camel(name)}: ${pascal(name)}Resource;`,
  );
  const assignments = groups.map(
    ({ name }) => `    this.${camel(name)} = new ${pascal(name)}Resource(transport);`,
  );
  return [
    "import type { List } from '../list.js';",
    "import { type Query, type RequestOptions, Resource, segment, type Transport } from '../transport.js';",
    "import type * as api from './types.gen.js';\n",
    ...groups.map(
      (group) =>
        `export class ${pascal(group.name)}Resource extends Resource {\n${group.operations.map(writeMethod).join('\n\n')}\n}\n`,
    ),
    '/** The methods of the API, by the group of their operations. */',
    'export class Resources {',
    properties.join('\n'),
    '\n  constructor(transport: Transport) {',
    assignments.join('\n'),
    '  }\n}\n',
  ].join('\n');
}

/** @param {{ name: string, operations: Documented[] }} group */
function requireDistinct({ name, operations }) {
  for (const operation of operations) {
    const twins = operations.filter((other) => other.name === operation.name);
    if (twins.length < 2) continue;
    const ids = twins.map(({ operationId }) => operationId).join(' and ');
    throw new Error(
      `${ids} would both be ${name}.${operation.name}: name one in bin/client/write-resources.mjs`,
    );
  }
}

/**
 * Without the name of the resource: `createMonitor` of `monitors` is `create`, `listMonitorResults` is `listResults`.
 * @param {string} operationId
 * @param {string} tag
 */
function nameMethod(operationId, tag) {
  const plural = pascal(tag);
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  const short = operationId.startsWith('list')
    ? operationId.replace(plural, '').replace(singular, '')
    : operationId.replace(new RegExp(`${singular}(?![a-z])`), '');
  return NAMES.get(operationId) ?? short;
}

/** @param {Documented} operation */
function writeMethod(operation) {
  const { method, path, name, operationId, summary, parameters = [], requestBody } = operation;
  const type = `api.${pascal(operationId)}`;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const isList = isPaged(operation);
  const queryIsOptional = query.every(({ required }) => !required);
  const declared = [
    ...inPath.map((parameter) => `${parameter}: string`),
    ...(requestBody
      ? [`body${requestBody.required ? '' : '?'}: ${isFile(requestBody) ? 'Blob' : `${type}Data['body']`}`]
      : []),
    ...(query.length > 0
      ? [`query${queryIsOptional ? '?' : ''}: Query<NonNullable<${type}Data['query']>>`]
      : []),
    'options?: RequestOptions',
  ].join(', ');
  const address =
    inPath.length === 0
      ? `'${path}'`
      : `\`${path.replace(/\{(\w+)\}/g, (_match, parameter) => `$\{segment(${parameter})}`)}\``;
  const comment = `  /** ${summary}. \`${method.toUpperCase()} ${path}\` */`;
  if (isList) {
    return `${comment}\n  ${name}(${declared}): List<${type}Response[number]> {\n    return this.transport.list(${address}, query, options);\n  }`;
  }
  const reads = howToRead(operation);
  const accepts = listAccepted(operation);
  const call = [
    `method: '${method.toUpperCase()}'`,
    `path: ${address}`,
    ...(requestBody ? ['body'] : []),
    ...(query.length > 0 ? ['query'] : []),
    ...(reads === 'json' ? [] : [`reads: '${reads}'`]),
    ...(accepts.length > 0 ? [`accepts: [${accepts.join(', ')}]`] : []),
  ].join(', ');
  const result = reads === 'nothing' ? 'void' : `${type}Response`;
  return `${comment}\n  ${name}(${declared}): Promise<${result}> {\n    return this.transport.send({ ${call} }, options);\n  }`;
}

/** @param {NonNullable<Operation['requestBody']>} requestBody */
function isFile({ content }) {
  return !('application/json' in content);
}

/** @param {Operation} operation */
function successOf({ responses }) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {};
}

/** @param {Operation} operation */
function isPaged(operation) {
  const { headers = {}, content } = successOf(operation);
  return 'Link' in headers && content?.['application/json']?.schema.type === 'array';
}

/**
 * @param {Operation} operation
 * @returns {'json' | 'text' | 'nothing'}
 */
function howToRead(operation) {
  const { content } = successOf(operation);
  if (content === undefined) return 'nothing';
  return 'application/json' in content ? 'json' : 'text';
}

/**
 * Statuses of errors with the body of a success, such as 503 of `/health`.
 * @param {Operation} operation
 */
function listAccepted(operation) {
  const success = successOf(operation).content?.['application/json']?.schema.$ref;
  return Object.entries(operation.responses)
    .filter(([status]) => !status.startsWith('2'))
    .filter(
      ([, { content }]) => success !== undefined && content?.['application/json']?.schema.$ref === success,
    )
    .map(([status]) => status);
}

/**
 * The source of the events that endpoints receive.
 * @param {OpenApiDocument} document
 */
export function writeEvents({ webhooks }) {
  const types = Object.values(webhooks).map(({ post }) => {
    const name = post.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1);
    if (name === undefined) throw new Error(`the body of ${post.operationId} has no name in the document`);
    return `api.${name}`;
  });
  const kinds = Object.keys(webhooks).map((kind) => `'${kind}'`);
  return [
    "import type * as api from './types.gen.js';\n",
    '/** An event that this version of the client knows. */',
    `export type KnownEvent = ${types.join(' | ')};\n`,
    `export const EVENT_KINDS: readonly KnownEvent['event'][] = [${kinds.join(', ')}];\n`,
  ].join('\n');
}

/** @param {string} text */
function camel(text) {
  return text.replace(/-(\w)/g, (_match, letter) => letter.toUpperCase());
}

/** @param {string} text */
function pascal(text) {
  return camel(text).replace(/^\w/, (letter) => letter.toUpperCase());
}
