import { expect, it } from 'vitest';
import { startTarget } from './target';

it('a target counts its requests and changes its status at run time', async () => {
  const target = await startTarget();
  try {
    expect((await fetch(target.url)).status).toBe(200);
    target.respondWith(500);
    expect((await fetch(target.url)).status).toBe(500);
    expect(target.requestedAt).toHaveLength(2);
  } finally {
    await target.close();
  }
});
