import type { Format } from '../format';

/** Our own format: the payload of an event. */
export const standard = {
  label: 'Standard',
  hint: 'JSON events, as documented in the API reference.',
  documentation: 'the payloads of the events in this reference. The default.',
  reader: 'program',
  events: ['monitors', 'incidents', 'acknowledgements'],
  awaitsCause: false,
  body: 'payload',
} as const satisfies Format;
