import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['.github', 'bench', 'bin', 'clients', 'docs', 'inngest', 'lib'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

/** Files and folders of the repository that a document names in code font, such as `lib/core`. */
const NAMED =
  /`((?:app|bench|bin|components|docs|e2e|inngest|lib|prisma)\/[\w[\]().-]+(?:\/[\w[\]().-]+)*)`/g;

/** The example of CONTRIBUTING.md, which does not exist. */
const EXAMPLES = ['lib/checks/tls/tls.ts', 'lib/checks/tls/probe-tls.ts'];

/** The anchor of a heading, as repository browsers derive it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

describe.each(documents)('%s', (path) => {
  const text = read(path);
  const prose = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');

  it('links only to existing files and headings', () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    for (const link of links.filter((each) => !/^[a-z]+:/.test(each))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      expect(existsSync(join(root, target)), link).toBe(true);
      if (anchor === undefined) continue;
      const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      expect(headings, link).toContain(anchor);
    }
  });

  it('names only existing paths', () => {
    const named = [...prose.matchAll(NAMED)].map(([, name = '']) => name);
    const missing = named.filter((name) => !existsSync(join(root, name)) && !EXAMPLES.includes(name));
    expect(missing).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');

  it.each(['A check result', 'A request'])('passes each folder at most once in the walk of "%s"', (title) => {
    const [walk = ''] = text.slice(text.indexOf(`## ${title}`) + 3).split('\n## ');
    const folders = [...walk.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path).filter(isFolder);
    expect(folders.length).toBeGreaterThan(4);
    expect(folders).toEqual([...new Set(folders)]);
  });

  it('lists every folder of lib', () => {
    const folders = readdirSync(join(root, 'lib'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
      .map(({ name }) => `lib/${name}`);
    const listed = [...text.matchAll(/^\| (`.+?`(?:, `.+?`)*) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(.+?)`/g)].map(([, name]) => name),
    );
    expect(listed).toEqual(expect.arrayContaining(folders));
  });
});

function isFolder(path: string): boolean {
  return !/\.\w+$/.test(path);
}

it('README.md is shorter than 120 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(120);
});
