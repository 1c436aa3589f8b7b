import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../docs/operate', import.meta.url));

/** Where the commands of a block run: with the running service, or on a machine on which Pharos is installed but not set up. */
export type Place = 'service' | 'new machine';

/** Commands of a guide, as people copy them. */
export type CommandBlock = {
  line: number;
  commands: string;
  /** Why a test cannot run them; null: it can. */
  skipped: string | null;
  place: Place;
};

/** A guide of docs/operate. */
export type Guide = { name: string; text: string; blocks: CommandBlock[] };

const BLOCK = /(?:^ *<!-- test: ([^>]+) -->\n+)?^( *)```sh\n([\s\S]*?)^\2```$/gm;

/** All guides of docs/operate. The comment `<!-- test: skip WHY -->` or `<!-- test: on a new machine -->` before a block is for tests. */
export function readGuides(): Guide[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return names.toSorted().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, text, blocks: parseBlocks(text) };
  });
}

/** The blocks of commands in a guide. Throws for a comment that means nothing. */
export function parseBlocks(text: string): CommandBlock[] {
  return [...text.matchAll(BLOCK)].map(({ index, 1: mark = '', 2: indent = '', 3: commands = '' }) => {
    const skipped = /^skip (.+)$/.exec(mark)?.[1] ?? null;
    const isElsewhere = mark === 'on a new machine';
    if (mark !== '' && skipped === null && !isElsewhere) throw new Error(`unknown mark of a block: ${mark}`);
    return {
      line: text.slice(0, text.indexOf('```sh', index)).split('\n').length,
      commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      skipped,
      place: isElsewhere ? 'new machine' : 'service',
    };
  });
}
