import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of some folders of the code that a test can edit and compile. Imports of other folders lead to the originals. */
export type CodeCopy = {
  directory: string;
  /** Replaces the first match of each text. Throws if it is missing. */
  edit(path: string, ...replacements: [from: string, to: string][]): Promise<void>;
  write(path: string, text: string): Promise<void>;
  /** The errors of the compiler; empty if there are none. */
  compile(): Promise<string>;
  remove(): Promise<void>;
};

/** Copies folders of the code, without their tests. */
export async function copyCode(...folders: string[]): Promise<CodeCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'pharos-code-'));
  for (const folder of folders) {
    await cp(join(root, folder), join(directory, folder), {
      recursive: true,
      filter: (path) => !/\.test\.tsx?$|\/testing$/.test(path),
    });
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  const copied = folders.map((folder) => [`@/${folder}/*`, [join(directory, folder, '*')]]);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      incremental: false,
      paths: Object.fromEntries([...copied, ['@/*', [join(root, '*')]]]),
    },
    include: ['.'],
  };
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  };
  await write('tsconfig.json', JSON.stringify(config));
  return {
    directory,
    write,
    edit: async (path, ...replacements) => {
      let text = await readFile(join(directory, path), 'utf8');
      for (const [from, to] of replacements) {
        if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
        text = text.replace(from, to);
      }
      await write(path, text);
    },
    compile: () => {
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      return promisify(execFile)(process.execPath, [tsc, '--noEmit', '-p', directory]).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      );
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

/** The code blocks of a section of CONTRIBUTING.md that name a file in their first line, as [path, code]. */
export async function readGuideBlocks(title: string): Promise<[path: string, code: string][]> {
  const guide = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [section = ''] = guide.slice(guide.indexOf(`## ${title}\n`) + 3).split('\n## ');
  return [...section.matchAll(/^ {3}```\w+\n {3}(?:\/\/|--) (\S+)\n([\s\S]*?)^ {3}```$/gm)].map(
    ([, path = '', code = '']) => [path, code.replaceAll(/^ {3}/gm, '')],
  );
}
