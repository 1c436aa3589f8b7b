import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createOpenFolder } from '@/lib/testing/open-folder';

type Folder = {
  path(name: string): string;
  /** Writes a file, and returns its path. */
  save(name: string, content: string | Uint8Array): Promise<string>;
};

/** A folder for the files of a test file, deleted at its end. */
export function useFolder(): Folder {
  let folder = '';
  beforeAll(async () => {
    folder = await createOpenFolder('pharos-files-');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  return {
    path,
    save: async (name, content) => {
      await writeFile(path(name), content);
      return path(name);
    },
  };
}
