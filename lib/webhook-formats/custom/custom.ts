import type { Format } from '../format';

/** A body of the organization's own. */
export const custom = {
  label: 'Custom',
  hint: 'Your own body, from a Liquid template, with your own headers.',
  documentation:
    'a body that you write as a `template`, with `headers` of your own, as described in Custom bodies.',
  reader: 'program',
  events: ['incidents', 'acknowledgements'],
  awaitsCause: true,
  body: 'template',
} as const satisfies Format;
