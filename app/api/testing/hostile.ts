import fc from 'fast-check';

const NESTED = 2000;

/** JSON values that have broken services, as text, because `JSON.stringify` cannot create some of them. */
const HOSTILE_TEXTS: string[] = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '""',
  '" "',
  '"\\t\\r\\n"',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e999',
  '-1e999',
  '2147483648',
  '9007199254740993',
  '9'.repeat(400),
  '"\\u0000"',
  '"a\\u0000b"',
  '["\\u0000"]',
  '{"\\u0000":"\\u0000"}',
  '"\\u001b[31m"',
  '"\\u202e"',
  '"\\ud800"',
  '"\\udc00x"',
  '["\\ud800"]',
  '{"\\ud800":"\\ud800"}',
  '"\\ufeff"',
  '"\\uffff"',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '"__proto__"',
  '"toString"',
  '"constructor"',
  '{"toString":null}',
  '{"length":1e9}',
  '{"then":1}',
  '{"toJSON":1}',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59.999Z"',
  '"2026-02-30T00:00:00Z"',
  '"2026-01-01"',
  '"-infinity"',
  '"NaN"',
  '"%00"',
  '"\'; DROP TABLE monitor; --"',
  '"../../etc/passwd"',
  '"<script>"',
  '"0000-01-01T00:00:00-23:59"',
  '"9999-12-31T23:59:59-23:59"',
  '"2026-01-01T00:00:00.123456789Z"',
  JSON.stringify('x'.repeat(70_000)),
  JSON.stringify(Array.from({ length: 5000 }, (_, index) => `x${index}`)),
  `${'['.repeat(NESTED)}${']'.repeat(NESTED)}`,
  `${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}`,
];

/** The worst of them, for every field of every body. */
export const NASTIEST_TEXTS: string[] = [
  '"a\\u0000b"',
  '["\\u0000"]',
  '{"\\u0000":"\\u0000"}',
  '"\\ud800"',
  '["\\ud800"]',
  '{"X":"\\ud800"}',
  '1e999',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59-23:59"',
  '{"__proto__":{"polluted":true}}',
  '1e15',
];

const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '\0',
  '\ud800',
  'x'.repeat(9000),
];

/** Texts that are not JSON, not UTF-8, or empty. */
const NO_JSON: (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  ' ',
  '{',
  '{"name":',
  'nul',
  'NaN',
  "{'a':1}",
  '{"a":1}}',
  '\ufeff{}',
  '{"a":"\n"}',
  '\0',
  new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
  new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
];

/** The text of a body derived from `valid` that is wrong in one place, completely wrong, or not JSON. */
export function hostileBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  );
  const spoiled = fc
    .tuple(valid, text, fc.nat(), fc.constantFrom(...HOSTILE_KEYS))
    .chain(([value, hostile, place, key]) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(replaceAt(value, place, hostile)) },
        { weight: 2, arbitrary: fc.constant(withKey(value, key, hostile)) },
        { weight: 1, arbitrary: fc.constant(withoutKey(value, place)) },
      ),
    );
  return fc.oneof(
    { weight: 8, arbitrary: spoiled },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(...NO_JSON) },
  );
}

/** Texts that cannot be decoded; in a path, the web server itself rejects them. */
export const UNDECODABLE = ['%ff', '%', '%ud800', '%C3'];

/** A text for a query parameter or a part of a path, escaped for a URL. */
export const hostileUrlText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%00',
    'mon_%00',
    'a%00b',
    '%0d%0aX-A:%20b',
    '%C3%BC',
    '%F0%9F%92%A9',
    '..%2F..%2Fhealth',
    '%25',
    '%2500',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    '%27%20OR%201=1--',
    '-1',
    '1e9',
    'x'.repeat(3000),
  ),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .filter((text) => !/^\.{1,2}$/.test(text)) // Clients resolve these segments before sending.
    .map((text) => encodeURIComponent(text)),
);

const MARK = '\ue000mark\ue000';

/** The text of `value` with its part number `place`, of all nested parts, replaced by `hostile`. */
function replaceAt(value: unknown, place: number, hostile: string): string {
  const count = countParts(value);
  const target = count === 1 ? 0 : 1 + (place % (count - 1));
  let index = -1;
  const mark = (part: unknown): unknown => {
    index += 1;
    if (index === target) return MARK;
    if (Array.isArray(part)) return part.map(mark);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, mark(each)]));
  };
  return JSON.stringify(mark(value)).replace(JSON.stringify(MARK), () => hostile);
}

function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + countParts(part), 1);
}

/** As text, because `__proto__` would not be a key of a value. */
function withKey(value: unknown, key: string, hostile: string): string {
  const text = JSON.stringify(value);
  const rest = text === '{}' ? '}' : `,${text.slice(1)}`;
  return text.startsWith('{') ? `{${JSON.stringify(key)}:${hostile}${rest}` : hostile;
}

function withoutKey(value: unknown, place: number): string {
  const entries = Object.entries(value ?? {});
  return JSON.stringify(Object.fromEntries(entries.filter((_, index) => index !== place % entries.length)));
}
