import {
  type Document,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { invalidState } from '@/lib/core/errors';

/** Most values in a YAML file, counting those behind an alias at each use. */
const MAX_VALUES = 1_000_000;

/** The value of a YAML text. Throws VALIDATION_ERROR with `hint`, and for aliases that expand to too much. */
export function decodeYaml(text: string, hint: string): unknown {
  try {
    const options = { merge: true, uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;
    const document = parseDocument(text, options);
    const isValid = document.errors.length === 0 && !hasRepeatedKey(document);
    if (isValid && expandedSize(document.contents) <= MAX_VALUES) return document.toJS({ maxAliasCount: -1 });
  } catch {
    // Nested too deeply.
  }
  throw invalidState(`The file is not valid YAML, or too large. ${hint}`);
}

/** The parser's own search compares every key of a map with every other one: 14 s for 30,000. */
function hasRepeatedKey(document: Document): boolean {
  let isFound = false;
  visit(document, {
    Map(_, { items }) {
      const keys = items.flatMap(({ key }) =>
        isScalar(key) && key.value !== '<<' ? [String(key.value)] : [],
      );
      isFound ||= new Set(keys).size < keys.length;
      return isFound ? visit.BREAK : undefined;
    },
  });
  return isFound;
}

/**
 * The number of values in a document if each alias were written out. It is known before anything is expanded: a few lines of
 * aliases can stand for billions of values, or without end for itself.
 */
function expandedSize(contents: Node | null): number {
  const anchors = new Map<string, number>();

  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return anchors.get(node.source) ?? Number.POSITIVE_INFINITY;
    const anchor = isCollection(node) || isScalar(node) ? node.anchor : undefined;
    // Until its size is known, an alias to it is a cycle.
    if (anchor !== undefined) anchors.set(anchor, Number.POSITIVE_INFINITY);
    const size = 1 + childrenOf(node).reduce<number>((sum, child) => sum + sizeOf(child), 0);
    if (anchor !== undefined) anchors.set(anchor, size);
    return size;
  };

  const childrenOf = (node: unknown): unknown[] => {
    if (isPair(node)) return [node.key, node.value];
    return isCollection(node) ? node.items : [];
  };

  return sizeOf(contents);
}
