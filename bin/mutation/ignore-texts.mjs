/**
 * What Stryker passes to a plugin: an expression, and where it is in the syntax tree of Babel.
 * @typedef {{ type: string, name?: string, id?: Node, callee?: Node, property?: Node }} Node
 * @typedef {{ key: string | number | null, listKey?: string | null, parent?: Node, parentPath?: Path | null }} Path
 */

/**
 * Texts that only readers use: nothing depends on them, so a test could only repeat them.
 * @type {{ what: string, contains: (path: Path) => boolean }[]}
 */
const TEXTS = [
  {
    what: 'describes a field in the OpenAPI document',
    contains: ({ listKey, parent }) =>
      listKey === 'arguments' && ['describe', 'meta'].includes(parent?.callee?.property?.name ?? ''),
  },
  {
    what: 'describes a field in the OpenAPI document, with an example',
    contains: ({ key, listKey, parent }) =>
      listKey === 'arguments' && Number(key) >= 1 && parent?.callee?.name === 'described',
  },
  {
    what: 'says what a special address is, and by which source',
    contains: ({ key, listKey, parentPath }) =>
      listKey === 'elements' &&
      Number(key) >= 2 &&
      parentPath?.parentPath?.parent?.id?.name === 'SPECIAL_ADDRESSES',
  },
];

/** @param {Path} path */
const shouldIgnore = (path) => TEXTS.find(({ contains }) => contains(path))?.what;

export const strykerPlugins = [{ kind: 'Ignore', name: 'texts', value: { shouldIgnore } }];
