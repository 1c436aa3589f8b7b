import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { AffectedFields } from './affected-fields';

const PAGE = {
  id: 'sp_1',
  slug: 'shop',
  name: 'Shop',
  published: true,
  address: null,
  monitors: [],
  subscribers: 0,
  automaticDelay: 0,
  automaticSince: null,
  components: [{ id: 'cmp_1', name: 'Phone' }],
};

/** The IDs that the form sends by field: hidden ones, and checked ones. */
function sentOf(monitors: string[], components: string[], pages = [PAGE]) {
  const html = renderToStaticMarkup(
    createElement(AffectedFields, {
      monitors: [{ id: 'mon_1', name: 'API' }],
      pages,
      errors: {},
      onChange: () => undefined,
      affected: { monitors, components },
    }),
  );
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([input]) => input);
  const valuesOf = (shown: string[]) => shown.map((input) => /value="([^"]*)"/.exec(input)?.[1]);
  return {
    hidden: valuesOf(inputs.filter((input) => input.includes('type="hidden"'))),
    checked: valuesOf(inputs.filter((input) => input.includes('checked=""'))),
  };
}

it('what was deleted is kept, and not counted as selected', () => {
  const sent = sentOf(['mon_gone', 'mon_1'], ['cmp_1', 'cmp_gone']);
  expect(sent).toEqual({ hidden: ['mon_gone', 'cmp_gone'], checked: ['mon_1', 'cmp_1'] });
  expect(sentOf([], [])).toEqual({ hidden: [], checked: [] });
  expect(sentOf([], ['cmp_1'], []), 'without any component left').toEqual({ hidden: ['cmp_1'], checked: [] });
});
