import 'server-only';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { marked, type Token } from 'marked';
import { rankEntries, type SearchEntry } from '@/components/docs/rank-entries';
import { slugify } from '@/components/docs/reference';
import { API_GUIDES } from '../read-guides';

/** The documents in docs that are pages of the guide, in the order of its contents. The first is its start. */
export const GUIDE_FILES = [
  'guide.md',
  'assertions.md',
  'moving-in.md',
  'as-code.md',
  'command-line.md',
  'operate/README.md',
  'operate/one-machine.md',
  'operate/proxy.md',
  'operate/containers.md',
  'operate/kubernetes.md',
  'operate/fleet.md',
  'operate/probes.md',
  'operate/pgbouncer.md',
  'operate/inngest.md',
  'operate/settings.md',
  'operate/sign-in.md',
  'operate/data.md',
  'operate/backup.md',
  'operate/upgrade.md',
  'operate/monitoring.md',
  'operate/capacity.md',
  'operate/security.md',
  'operate/troubleshooting.md',
  'performance.md',
  'reliability.md',
];

/** A part of a page below a heading, with what it contains as Markdown that is read. The first has what stands before all headings. */
type Section = { id: string; title: string; text: string; tokens: Token[] };
export type GuidePage = { file: string; href: string; title: string; sections: Section[] };

let pages: Promise<GuidePage[]> | undefined;

/** All pages of the guide. They are read once: they change with the version of the service only. */
export function readGuidePages(): Promise<GuidePage[]> {
  pages ??= Promise.all(GUIDE_FILES.map(readPage));
  return pages;
}

async function readPage(file: string): Promise<GuidePage> {
  const text = await readFile(join(process.cwd(), 'docs', file), 'utf8');
  const [heading, ...tokens] = marked.lexer(text);
  const title = heading?.type === 'heading' ? String(heading.text) : file;
  const sections: Section[] = [{ id: '', title, text: '', tokens: [] }];
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === 2) {
      const name = String(token.text).replaceAll('`', '');
      sections.push({ id: slugify(name), title: name, text: '', tokens: [] });
      continue;
    }
    const section = sections.at(-1);
    section?.tokens.push(token);
    if (section) section.text += token.raw;
  }
  return { file, href: hrefOf(file), title, sections: sections.filter(({ text }) => text.trim() !== '') };
}

function hrefOf(file: string): string {
  const path = file.replace(/\.md$/, '').replace(/\/README$/, '');
  return path === 'guide' ? '/docs/guide' : `/docs/guide/${path}`;
}

/**
 * Where a link of a page leads in the service: to a page of the guide or of the API reference, or elsewhere in the web. Null for
 * what only the repository has, such as sources.
 */
export function resolveLink(file: string, link: string): string | null {
  if (/^(https?:|mailto:|#)/.test(link)) return link;
  const [path = '', anchor] = posix.join(posix.dirname(file), link).split('#', 2);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (GUIDE_FILES.includes(path)) return `${hrefOf(path)}${hash}`;
  const page = API_GUIDES.find(({ name }) => path === `api/${name}.md`)?.page;
  return page === undefined ? null : `${page}${hash}`;
}

/** The sections of the guide, to be found by their titles, then by the words in them. */
export function listGuideEntries(all: readonly GuidePage[]): SearchEntry[] {
  return all.flatMap(({ href, title: page, sections }) =>
    sections.map(({ id, title, text }) => ({
      href: id === '' ? href : `${href}#${id}`,
      label: title,
      hint: title === page ? 'Guide' : `Guide · ${page}`,
      kind: 'section' as const,
      words: [...new Set(text.toLowerCase().match(/[\p{L}\d_]{3,}/gu))].join(' '),
    })),
  );
}

/** The sections with all words, best first. */
export async function searchGuide(words: readonly string[], limit: number): Promise<SearchEntry[]> {
  const found = rankEntries(listGuideEntries(await readGuidePages()), words.join(' '), limit);
  // What they say has done its part.
  return found.map(({ words: _, ...entry }) => entry);
}
