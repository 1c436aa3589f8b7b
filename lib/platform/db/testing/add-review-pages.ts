import { fileURLToPath } from 'node:url';
import { type CodeCopy, copyCode, readGuideBlocks } from '@/lib/testing/code-copy';

export const TIMETABLE_FILE = 'lib/engine/timetable/timetable.ts';

/** Follows "Add a kind of claimed work" of CONTRIBUTING.md in a copy of lib/engine/upkeep and lib/engine/timetable. */
export async function addReviewPages(): Promise<CodeCopy> {
  const blocks = await readGuideBlocks('Add a kind of claimed work');
  const [[path, code] = ['', ''], [timetable, row] = ['', '']] = blocks;
  if (blocks.length !== 2 || timetable !== TIMETABLE_FILE) throw new Error('the guide has other steps');
  const copy = await copyCode('lib/engine/upkeep', 'lib/engine/timetable');
  await copy.write(path, code);
  const types = fileURLToPath(new URL('../../../schemas/status-pages/css-tree.d.ts', import.meta.url));
  await copy.write('css-tree.d.ts', `/// <reference path="${types}" />\n`);
  await copy.edit(
    timetable,
    ['import ', "import { reviewPages } from '../upkeep/review-pages';\nimport "],
    ['readonly Job[] = [\n', `readonly Job[] = [\n${row}`],
  );
  return copy;
}
