import { parseSync, Visitor } from 'oxc-parser';

/**
 * One import of a file. `names` are the imported names; null if everything is imported (a namespace, a default, a side
 * effect, `import()`). `typeOnly` imports do not exist at run time.
 * @typedef {{ specifier: string, line: number, typeOnly: boolean, names: string[] | null }} Import
 *
 * A use of a global that opens a connection.
 * @typedef {{ name: string, line: number }} GlobalUse
 *
 * @typedef {{ imports: Import[], connectingGlobals: GlobalUse[] }} FileFacts
 */

const CONNECTING_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
const NEEDS_TREE = new RegExp(`\\b(?:${CONNECTING_GLOBALS.join('|')})\\b|\\bimport\\(`);
const GLOBAL_OBJECTS = ['globalThis', 'global', 'window', 'self'];

/**
 * The imports of a source file: static, re-exports, `import()` of a literal, and types. Throws if it does not parse.
 * @param {string} path
 * @param {string} text
 */
export function readImports(path, text) {
  const parsed = parseSync(path, text);
  const fault = parsed.errors[0];
  if (fault) throw new Error(`${path} does not parse: ${fault.message}`);
  const lineOf = (/** @type {number} */ offset) => text.slice(0, offset).split('\n').length;
  const { staticImports, staticExports, dynamicImports } = parsed.module;

  /** @type {Import[]} */
  const imports = [
    ...staticImports.map(({ start, moduleRequest, entries }) =>
      describeImport(moduleRequest.value, lineOf(start), entries),
    ),
    ...staticExports.flatMap(({ start, entries }) =>
      entries.flatMap((entry) =>
        entry.moduleRequest ? [describeImport(entry.moduleRequest.value, lineOf(start), [entry])] : [],
      ),
    ),
    ...dynamicImports.flatMap(({ start, moduleRequest }) => {
      const literal = /^(['"`])([^'"`$]+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
      return literal?.[2]
        ? [{ specifier: literal[2], line: lineOf(start), typeOnly: false, names: null }]
        : [];
    }),
  ];
  // The tree is far more expensive than the module record, and few files need it.
  const tree = NEEDS_TREE.test(text)
    ? readTree(parsed.program, lineOf)
    : { imports: [], connectingGlobals: [] };
  return { imports: [...imports, ...tree.imports], connectingGlobals: tree.connectingGlobals };
}

/**
 * @param {string} specifier
 * @param {number} line
 * @param {{ isType: boolean, importName: { kind: string, name: string | null } }[]} entries
 */
function describeImport(specifier, line, entries) {
  const values = entries.filter((entry) => !entry.isType);
  const names = values.flatMap(({ importName }) =>
    importName.kind === 'Name' && importName.name ? [importName.name] : [],
  );
  const whole = entries.length === 0 || names.length < values.length;
  return {
    specifier,
    line,
    typeOnly: entries.length > 0 && values.length === 0,
    names: whole ? null : names,
  };
}

/**
 * @param {import('oxc-parser').Program} program
 * @param {(offset: number) => number} lineOf
 */
function readTree(program, lineOf) {
  /** @type {FileFacts} */
  const facts = { imports: [], connectingGlobals: [] };
  /**
   * @param {string | null | undefined} name
   * @param {number} start
   */
  const note = (name, start) => {
    if (name && CONNECTING_GLOBALS.includes(name))
      facts.connectingGlobals.push({ name, line: lineOf(start) });
  };
  /** @param {{ callee: import('oxc-parser').Expression, start: number }} node */
  const noteCallee = ({ callee, start }) => note(callee.type === 'Identifier' ? callee.name : null, start);
  new Visitor({
    CallExpression: noteCallee,
    NewExpression: noteCallee,
    MemberExpression: ({ object, property, start }) => {
      const isGlobal = object.type === 'Identifier' && GLOBAL_OBJECTS.includes(object.name);
      note(isGlobal && property.type === 'Identifier' ? property.name : null, start);
    },
    TSImportType: ({ source, start }) => {
      facts.imports.push({ specifier: source.value, line: lineOf(start), typeOnly: true, names: [] });
    },
  }).visit(program);
  return facts;
}
