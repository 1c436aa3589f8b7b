import type { EditableProduct } from './editable';
import type { Alert, Message } from './message';
import type { FormatCredentials, ProductRequest, StoredBody } from './request';

/** A group of events; acknowledgements are those of incidents. */
export type EventGroup = 'monitors' | 'incidents' | 'acknowledgements';

/** A credential by which a product identifies the sender. */
export type Credential = {
  /** What the product calls it. */
  label: string;
  hint: string;
  isRequired: boolean;
  /** What the product accepts, where it says so, and how an error says so. */
  shape?: { pattern: RegExp; message: string };
  example: string;
};

/** A product that identifies the sender by credentials. */
export type Account = {
  /** Its own address, unless an endpoint has another. */
  url: string;
  credentials: Readonly<Record<string, Credential>>;
  /** For products that take messages without credentials, too, at another address. All required ones are needed with one of them. */
  without?: {
    /** What is said about the URL in the form. */
    hint: string;
    /** Why a URL belongs to the other way of sending; null if it does not. */
    refuse(url: string, hasCredentials: boolean): string | null;
  };
};

/** What kind of thing receives messages: the groups of the gallery, in its order. */
export const FORMAT_GROUPS = ['chat', 'on-call', 'push', 'program'] as const;
export type FormatGroup = (typeof FORMAT_GROUPS)[number];

/** A tile in place of a logo: one to three characters in white on the color of the product. */
export type Mark = { letters: string; color: string };

type Described = {
  /** What people choose it by: the name of the product, if it is of one. */
  label: string;
  /** What is sent, for the form. */
  hint: string;
  /** What is sent where, for the API reference: light Markdown without line breaks. */
  documentation: string;
  group: FormatGroup;
  mark: Mark;
  /** Where to find its URL or credentials: sentences for a person who has not done it before. */
  steps: readonly [string, string, string];
  /** The events of a new endpoint for which none are chosen. */
  events: readonly EventGroup[];
  account?: Account;
  /** What is different in the request that sends a body; `credentials` can be hidden. */
  address?(stored: StoredBody, credentials: FormatCredentials): Partial<ProductRequest>;
};

/**
 * People read messages: one for each status of an incident, with a link that acknowledges it if the product shows it; a note instead of the
 * changes of a monitor that flaps; a summary of a story. `edits`: for products that can edit what was sent.
 */
type ForPeople = {
  reader: 'people';
  render(message: Message): object;
  edits?: {
    product: EditableProduct;
    /** Whether only endpoints with credentials can. */
    needsCredentials: boolean;
    /** How people notice an edit, for the API reference. */
    documentation: string;
  };
};

/** A product that keeps alerts open until they are over: it gets every event, but no end of an alert while a monitor flaps. */
type ForAlerts = { reader: 'alerts'; render(alert: Alert): object };

/** A program, which gets every event: its payload, or what the template of the endpoint writes. */
type ForProgram = {
  reader: 'program';
  body: 'payload' | 'template';
  /** Whether it gets an event only once it is certain that nothing is down that the monitor depends on. */
  awaitsCause: boolean;
};

/** A format of webhook endpoints: everything that depends on it. */
export type Format = Described & (ForPeople | ForAlerts | ForProgram);
