import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../playground';
import { anySpace, MUTATIONS, readBuilt } from './mutations';

it.each(MUTATIONS)('the built worker contains the text of this fault: $name', async ({ from }) => {
  const built = [...(await readBuilt(join(root, 'dist'))).values()];
  expect(built.filter((text) => text.search(anySpace(from)) !== -1)).not.toEqual([]);
});

it('matches regardless of white space', () => {
  expect('if(a.b >= c(d))return'.search(anySpace('if (a.b >= c(d)) return'))).toBe(0);
  expect('if(axb>=c(d))return'.search(anySpace('if (a.b >= c(d)) return'))).toBe(-1);
});
