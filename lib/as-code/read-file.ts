import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { type ResourceFields, SECTION_NAMES, SECTIONS, type SectionName, sectionOf } from './sections';

/** Most bytes of a file, and most resources in it. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
export const MAX_RESOURCES = 10_000;

/** What is wrong with a file, at a line that counts from 1. */
export type FileProblem = { line: number; message: string };

/** A resource as written, before variables and defaults. */
export type WrittenResource = {
  section: SectionName;
  /** What it is called in messages: its ref, slug or title; its ID if it has only that. */
  key: string;
  id: string | null;
  fields: ResourceFields;
  line: number;
  /** The line of a field or of a part of it, as `headers.Accept`; that of the nearest one around it that is written. */
  lineOf(path: string): number;
};

/** The resources of each section that the file has. One that is missing is not managed. */
export type ResourceFile = Partial<Record<SectionName, WrittenResource[]>>;

/** Reads a file. Its values are not validated yet: they can contain variables. */
export function readResourceFile(text: string): { file: ResourceFile; problems: FileProblem[] } {
  const reader = new ResourceReader(text);
  const file = reader.read();
  return { file, problems: [...reader.problems, ...findRepeated(file)] };
}

/** Collects what is wrong with a file while it is read. */
class ResourceReader {
  readonly problems: FileProblem[];
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(text: string) {
    const options = { lineCounter: this.#lines, uniqueKeys: false, prettyErrors: false };
    this.#document = parseDocument(text, options);
    // The others often follow from the first.
    this.problems = this.#document.errors.slice(0, 1).map(({ pos, message }) => ({
      line: this.#lines.linePos(pos[0]).line,
      message: `The YAML is not valid: ${message}.`,
    }));
  }

  read(): ResourceFile {
    const file: ResourceFile = {};
    const root = this.#document.contents;
    if (this.problems.length > 0) return file;
    if (!isMap(root)) {
      this.problems.push({ line: 1, message: `The file must start with "version: 1".` });
      return file;
    }
    const version: unknown = root.get('version');
    if (version !== 1) this.#report(root.get('version', true) ?? root, '`version` must be 1.');
    const seen = new Set<string>();
    for (const { key, value } of root.items) {
      const name = String(key);
      if (seen.has(name)) this.#report(key, `\`${name}\` is there twice.`);
      seen.add(name);
      if (name === 'version') continue;
      const section = SECTION_NAMES.find((each) => each === name);
      if (section === undefined) {
        const known = SECTION_NAMES.join(', ');
        this.#report(key, `\`${name}\` is not a section; there are ${known}.`);
      } else if (isScalar(value) && value.value === null) file[section] = [];
      else if (!isSeq(value)) this.#report(value ?? key, `\`${name}\` must be a list.`);
      else if (value.items.length > MAX_RESOURCES)
        this.#report(value, `\`${name}\` has more than ${MAX_RESOURCES} items.`);
      else file[section] = value.items.flatMap((item) => this.#readItem(section, item as Node) ?? []);
    }
    return file;
  }

  #lineAt(node: unknown): number {
    const start = (node as Node | null)?.range?.[0];
    return start === undefined ? 1 : this.#lines.linePos(start).line;
  }

  #report(node: unknown, message: string): null {
    this.problems.push({ line: this.#lineAt(node), message });
    return null;
  }

  #toFields(item: Node): ResourceFields | null {
    if (!isMap(item)) return null;
    try {
      return JSON.parse(JSON.stringify(item.toJS(this.#document, { maxAliasCount: 100 })));
    } catch {
      // Aliases that stand for too much, or for themselves.
      return null;
    }
  }

  /** The last value of a name would win, and the first would look as if it did. */
  #reportRepeated(node: unknown): void {
    if (isSeq(node)) for (const item of node.items) this.#reportRepeated(item);
    if (!isMap(node)) return;
    const names = new Set<string>();
    for (const { key, value } of node.items) {
      if (names.has(String(key))) this.#report(key, `\`${key}\` is there twice.`);
      names.add(String(key));
      this.#reportRepeated(value);
    }
  }

  #readItem(section: SectionName, item: Node): WrittenResource | null {
    const { key: keyField, noun } = SECTIONS[section];
    const sent = this.#toFields(item);
    if (!isMap(item) || sent === null)
      return this.#report(item, `A ${noun} must be a map of its fields, without many aliases.`);
    this.#reportRepeated(item);
    const { id = null, ...fields } = sent;
    const key = fields[keyField] ?? id;
    if (id !== null && typeof id !== 'string')
      return this.#report(item, `The \`id\` of a ${noun} must be a text.`);
    if (typeof key !== 'string' || key === '')
      return this.#report(item, `A ${noun} needs a \`${keyField}\`, which must be a text.`);
    const lineOf = (path: string) => this.#lineAt(findPart(item, path));
    return { section, key, id, fields, line: this.#lineAt(item), lineOf };
  }
}

/** The part of an item at a path, or the nearest one around it that is written. */
function findPart(item: Node, path: string): unknown {
  let node: unknown = item;
  for (const name of path.split('.')) {
    const part = isMap(node) ? node.get(name, true) : isSeq(node) ? node.get(Number(name), true) : undefined;
    if (part === undefined) break;
    node = part;
  }
  return node;
}

function findRepeated(file: ResourceFile): FileProblem[] {
  return Object.values(file).flatMap((resources) => {
    const seen = new Set<string>();
    return resources.flatMap(({ section, key, id, line }) => {
      const name = id ?? key;
      if (!seen.has(name)) {
        seen.add(name);
        return [];
      }
      return [{ line, message: explainRepeated(section, key) }];
    });
  });
}

/** The message about the second of two entries that are the same resource. */
export function explainRepeated(section: SectionName, key: string): string {
  return `Another entry of the file is the same ${sectionOf(section).noun} as ${JSON.stringify(key)}.`;
}
