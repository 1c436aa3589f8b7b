import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from './source-files.mjs';
import { isTestCode, zoneOf } from './zones.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['.github', 'app', 'bench', 'bin', 'clients', 'components', 'docs', 'inngest', 'lib'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

/** A folder with this many modules below it has a README.md that names its input, its output, and where to start. */
const DOOR_FROM = 25;

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

it('every large folder, and every zone of lib, has a README.md', () => {
  const modules = [...readSourceFiles(root).keys()].filter((path) => !isTestCode(path));
  const counts = new Map<string, number>();
  for (const folder of modules.flatMap(foldersOf)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const large = [...counts].filter(([, count]) => count >= DOOR_FROM).map(([folder]) => folder);
  const zones = modules
    .map((path) => zoneOf(path) ?? '')
    .filter((zone) => zone.startsWith('lib/') && counts.has(zone));
  const folders = [...new Set([...large, ...zones])];
  expect(folders.filter((folder) => !existsSync(join(root, folder, 'README.md')))).toEqual([]);
});

/** `lib/state/region.ts` is in `lib` and `lib/state`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function isFolder(path: string): boolean {
  return !/\.\w+$/.test(path);
}

it('README.md is shorter than 120 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(120);
});
