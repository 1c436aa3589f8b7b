import type { Format } from '../format';

/** Our own format: the payload of an event. */
export const standard = {
  label: 'Standard',
  hint: 'JSON events for a webhook of your own, as documented in the API reference.',
  documentation: 'the payloads of the events in this reference. The default.',
  group: 'program',
  mark: { letters: '{ }', color: '#3B4252' },
  steps: [
    'Write a program that receives a POST request with JSON for every event, as described in the API reference.',
    'Enter its URL here, and send it a test. Tests that are sent before you save are not signed.',
    'Save, and copy the signing secret, which is shown once: your program verifies every request with it.',
  ],
  reader: 'program',
  events: ['monitors', 'incidents', 'acknowledgements'],
  awaitsCause: false,
  body: 'payload',
} as const satisfies Format;
