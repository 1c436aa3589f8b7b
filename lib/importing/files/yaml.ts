import {
  type Document,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  type Node,
  parseAllDocuments,
  visit,
} from 'yaml';
import { invalidState } from '@/lib/core/errors';

/** Most values in the YAML of an import, counting those behind an alias at each use. */
const MAX_VALUES = 1_000_000;
/** More than a stream has that people wrote. Each document costs a kilobyte, however small it is. */
const MAX_DOCUMENTS = 1000;
const OPTIONS = { merge: true, uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;

/** How many values the files of an import can still have. */
export type YamlBudget = { left: number };

/** The budget of an import. */
export function createYamlBudget(): YamlBudget {
  return { left: MAX_VALUES };
}

/** The value of a YAML text with one document. Throws VALIDATION_ERROR with `hint`, and for aliases that expand to too much. */
export function decodeYaml(text: string, hint: string): unknown {
  const [value, ...others] = decodeYamlStream(text, hint, createYamlBudget());
  if (others.length > 0) throw notValid(hint);
  return value;
}

/** The same for a text with any number of documents. */
export function decodeYamlStream(text: string, hint: string, budget: YamlBudget): unknown[] {
  try {
    const markers = text.match(/^---/gm)?.length ?? 0;
    const documents = markers > MAX_DOCUMENTS ? [] : [...parseAllDocuments(text, OPTIONS)];
    for (const { contents } of documents) budget.left -= expandedSize(contents);
    const isValid = documents.every((each) => each.errors.length === 0 && !hasRepeatedKey(each));
    if (isValid && markers <= MAX_DOCUMENTS && budget.left >= 0)
      return documents.map((document) => document.toJS({ maxAliasCount: -1 }));
  } catch {
    // Nested too deeply.
  }
  throw notValid(hint);
}

function notValid(hint: string): Error {
  return invalidState(`The file is not valid YAML, or too large. ${hint}`);
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
