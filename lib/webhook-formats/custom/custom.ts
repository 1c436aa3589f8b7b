import type { Format } from '../format';

/** A body of the organization's own. */
export const custom = {
  label: 'Custom',
  hint: 'Your own body, from a Liquid template, with your own headers.',
  documentation:
    'a body that you write as a `template`, with `headers` of your own, as described in Custom bodies.',
  group: 'program',
  mark: { letters: '</>', color: '#5B4391' },
  steps: [
    'Look up which URL, headers, and JSON your product accepts.',
    'Write the body as a Liquid template with the payload of the event. Preview shows what it writes for each event.',
    'Save, and copy the signing secret, which is shown once, if your product verifies signatures.',
  ],
  reader: 'program',
  events: ['incidents', 'acknowledgements'],
  awaitsCause: true,
  body: 'template',
} as const satisfies Format;
