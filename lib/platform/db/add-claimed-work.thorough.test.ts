import { expect, it, onTestFinished } from 'vitest';
import { addReviewPages } from './testing/add-review-pages';

it('the kind of claimed work of the guide compiles', async () => {
  const copy = await addReviewPages();
  onTestFinished(copy.remove);
  expect(await copy.compile()).toBe('');
});
