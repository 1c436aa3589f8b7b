import { parseSync, Visitor } from 'oxc-parser';
import { isBelow, isTestCode } from './zones.mjs';

/** @typedef {import('oxc-parser').Node} Node */

/** A screen: a longer function is read by scrolling, and tells several stories that have no names. */
export const MAX_FUNCTION_LINES = 70;

/**
 * The functions and types of production code.
 * @param {Map<string, string>} sources path → text
 */
export function readDeclarations(sources) {
  /** @type {{ name: string, path: string, line: number, isExported: boolean }[]} */
  const types = [];
  /** @type {{ path: string, line: number, length: number }[]} */
  const functions = [];
  for (const [path, text] of sources) {
    if (isTestCode(path)) continue;
    const lineOf = (/** @type {number} */ place) => text.slice(0, place).split('\n').length;
    const noteType = (/** @type {{ id: { name: string }, start: number }} */ { id: { name }, start }) => {
      const isExported = text.slice(0, start).endsWith('export ');
      types.push({ name, path, line: lineOf(start), isExported });
    };
    const noteFunction = (/** @type {Node} */ { start, end }) =>
      functions.push({ path, line: lineOf(start), length: text.slice(start, end).split('\n').length });
    new Visitor({
      TSTypeAliasDeclaration: noteType,
      TSInterfaceDeclaration: noteType,
      FunctionDeclaration: noteFunction,
      FunctionExpression: noteFunction,
      ArrowFunctionExpression: noteFunction,
    }).visit(parseSync(path, text).program);
  }
  return { types, functions };
}

/**
 * Functions that are too long, and exported types with a name that another module exports as well: an import of one of them has to
 * know which. Packages of their own (`clients`) have their own names.
 * @param {Map<string, string>} sources path → text
 */
export function checkDeclarations(sources) {
  const { types, functions } = readDeclarations(sources);
  const long = functions.filter(({ length }) => length > MAX_FUNCTION_LINES);
  const exported = types.filter(({ path, isExported }) => isExported && !isBelow(path, 'clients'));
  // The first home of each name comes last, and stays.
  const homes = new Map(exported.toReversed().map((type) => [type.name, type]));
  return [
    ...long.map(({ path, line, length }) => ({
      path,
      line,
      message: `has a function of ${length} lines, more than ${MAX_FUNCTION_LINES}: name its parts`,
    })),
    ...exported
      .filter((type) => homes.get(type.name) !== type)
      .map(({ name, path, line }) => ({
        path,
        line,
        message: `exports the type ${name}, as ${homes.get(name)?.path} does: import it, or find a better name`,
      })),
  ];
}
