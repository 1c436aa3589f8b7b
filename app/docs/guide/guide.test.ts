import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rankEntries } from '@/components/docs/rank-entries';
import { slugify } from '@/components/docs/reference';
import { readGuides } from '../read-guides';
import { GUIDE_FILES, readGuidePages, resolveLink, searchGuide } from './read-pages';

const docs = new URL('../../../docs/', import.meta.url);
const pages = await readGuidePages();

/** All links of a document outside of code. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
}

it('has every document for people who use or operate the service', () => {
  const of = (folder: string) =>
    readdirSync(new URL(folder, docs))
      .filter((name) => name.endsWith('.md'))
      .map((name) => folder + name);
  expect(GUIDE_FILES.toSorted()).toEqual([...of(''), ...of('operate/')].toSorted());
});

it('begins with the user guide, and every page has a title and an address of its own', () => {
  expect(pages[0]).toMatchObject({ href: '/docs/guide', title: 'User guide' });
  expect(new Set(pages.map(({ href }) => href)).size).toBe(pages.length);
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
});

it('links only to headings that exist in the service', async () => {
  const anchors = new Map<string, string[]>();
  for (const { href, sections } of pages) {
    const inner = sections.flatMap(({ text }) =>
      [...text.matchAll(/^### (.+)$/gm)].map(([, title = '']) => slugify(title)),
    );
    anchors.set(href, [...sections.map(({ id }) => id), ...inner]);
  }
  for (const { id, page } of await readGuides('https://status.example.org')) {
    anchors.set(page, [...(anchors.get(page) ?? []), id]);
  }
  const lost = pages.flatMap(({ file, href: own, sections }) =>
    sections
      .flatMap(({ text }) => linksOf(text))
      .flatMap((link) => resolveLink(file, link) ?? [])
      .filter((href) => !/^(https?|mailto):/.test(href))
      .filter((href) => {
        const [path = '', anchor] = href.split('#', 2);
        const known = anchors.get(path === '' ? own : path);
        return known === undefined || (anchor !== undefined && !known.includes(anchor));
      })
      .map((href) => `${file}: ${href}`),
  );
  expect(lost).toEqual([]);
});

it.each([
  ['guide.md', 'operate/fleet.md#several-regions', '/docs/guide/operate/fleet#several-regions'],
  ['operate/fleet.md', 'README.md', '/docs/guide/operate'],
  ['operate/probes.md', '../guide.md#monitors', '/docs/guide#monitors'],
  ['operate/probes.md', '../api/regions.md', '/docs/regions'],
  ['guide.md', 'api/webhooks.md#rules', '/docs#rules'],
  ['guide.md', '#flapping', '#flapping'],
  ['guide.md', 'https://semver.org/', 'https://semver.org/'],
  ['performance.md', 'decisions/0028-leased-shards.md', null],
  ['guide.md', 'javascript:alert(1)', null],
])('in %s, %s leads to %s', (file, link, href) => {
  expect(resolveLink(file, link)).toBe(href);
});

it('what only mentions a word comes after all that is called so', () => {
  const entry = { href: '', hint: 'Guide', kind: 'section' as const };
  const mentions = { ...entry, label: 'Email', words: 'timeout smtp' };
  const field = { ...entry, label: 'timeoutSeconds', hint: 'POST /monitors', kind: 'field' as const };
  expect(rankEntries([mentions, field], 'timeout', 5)).toEqual([field, mentions]);
});

it('is found by titles first, then by what it says', async () => {
  expect(await searchGuide([], 5)).toEqual([]);
  const [first] = await searchGuide(['maintenance'], 5);
  expect(first?.href).toMatch(/^\/docs\/guide/);
  expect((await searchGuide(['restore'], 5))[0]).toMatchObject({
    href: '/docs/guide/operate/backup#restore',
    hint: 'Guide · Backup and restore',
  });
  const inText = await searchGuide(['captive', 'portal'], 5);
  expect(inText.map(({ href }) => href)).toContain('/docs/guide#monitors');
  expect(inText.every((entry) => !('words' in entry))).toBe(true);
  expect(await searchGuide(['smtp_url'], 5)).not.toEqual([]);
  expect(await searchGuide(['zebra'], 5)).toEqual([]);
});
