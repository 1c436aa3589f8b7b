import type { Format } from '../format';

/** A body of the organization's own. */
export const custom = {
  label: 'Custom',
  hint: 'A body of your own, from a Liquid template, with headers of your own.',
  documentation:
    'a body that you write as a `template`, with `headers` of your own, as described in Custom bodies.',
  reader: 'program',
  events: ['incidents', 'acknowledgements'],
  awaitsCause: true,
  body: 'template',
} as const satisfies Format;
