import { type ApiOperation, exampleOf, fileTypeOf, type Verb } from './openapi';

export const LANGUAGES = [
  { language: 'curl', name: 'curl' },
  { language: 'javascript', name: 'JavaScript' },
  { language: 'python', name: 'Python' },
] as const;
/** The file of samples. */
const FILE = 'logo.png';

type Language = (typeof LANGUAGES)[number]['language'];

/** One request, independent of language. */
export type SampleRequest = {
  method: string;
  url: string;
  isPublic: boolean;
  /** Undefined: no body, or a file. */
  body: unknown;
  /** The type of a body that is a file. */
  fileType: string | null;
};

/** Builds a valid request for an operation. `baseUrl` ends in `/api`. */
export function sampleRequest(
  { method, path, baseUrl }: { method: Verb; path: string; baseUrl: string },
  operation: ApiOperation,
): SampleRequest {
  const parameters = operation.parameters ?? [];
  const exampleFor = (name: string) =>
    String(parameters.find((each) => each.name === name)?.schema?.examples?.[0]);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => exampleFor(name));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${exampleFor(name)}`);
  return {
    method: method.toUpperCase(),
    url: `${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    isPublic: operation.security?.length === 0,
    body: exampleOf(operation.requestBody),
    fileType: fileTypeOf(operation.requestBody),
  };
}

/** The request in each language. The key is read from the environment, so it does not end up in a file. */
export const FORMAT_SAMPLE: Record<Language, (request: SampleRequest) => string> = {
  curl: ({ method, url, isPublic, body, fileType }) =>
    [
      `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
      ...(isPublic ? [] : [`  -H "Authorization: Bearer $API_KEY"`]),
      ...(body === undefined
        ? []
        : [`  -H 'Content-Type: application/json'`, `  -d '${quoteForShell(pretty(body, '  '))}'`]),
      ...(fileType === null ? [] : [`  -H 'Content-Type: ${fileType}'`, `  --data-binary @${FILE}`]),
    ].join(' \\\n'),

  javascript: ({ method, url, isPublic, body, fileType }) => {
    const headers = [
      ...(isPublic ? [] : [`    Authorization: 'Bearer ' + process.env.API_KEY,`]),
      ...(body === undefined ? [] : [`    'Content-Type': 'application/json',`]),
      ...(fileType === null ? [] : [`    'Content-Type': '${fileType}',`]),
    ];
    const options = [
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
      ...(body === undefined ? [] : [`  body: JSON.stringify(${pretty(body, '  ')}),`]),
      ...(fileType === null ? [] : [`  body: await readFile('${FILE}'),`]),
    ];
    const rest = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
    return [
      ...(fileType === null ? [] : [`const { readFile } = await import('node:fs/promises');`, '']),
      `const response = await fetch('${url}'${rest});`,
      'if (!response.ok) throw new Error(await response.text());',
      'console.log(await response.json());',
    ].join('\n');
  },

  python: ({ method, url, isPublic, body, fileType }) => {
    const headers = [
      ...(isPublic ? [] : [`        "Authorization": "Bearer " + os.environ["API_KEY"],`]),
      ...(body === undefined ? [] : [`        "Content-Type": "application/json",`]),
      ...(fileType === null ? [] : [`        "Content-Type": "${fileType}",`]),
    ];
    return [
      'import json',
      ...(isPublic ? [] : ['import os']),
      'import urllib.request',
      '',
      'request = urllib.request.Request(',
      `    "${url}",`,
      ...(method === 'GET' ? [] : [`    method="${method}",`]),
      ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
      ...(body === undefined ? [] : [`    data=json.dumps(${pythonLiteral(body, '    ')}).encode(),`]),
      ...(fileType === null ? [] : [`    data=open("${FILE}", "rb").read(),`]),
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    print(json.load(response))',
    ].join('\n');
  },
};

/** JSON on several lines; all but the first begin with `indent`. */
export function pretty(value: unknown, indent = ''): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
}

function quoteForShell(text: string): string {
  return text.replaceAll("'", `'\\''`);
}

/** A JSON value in Python syntax. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}
