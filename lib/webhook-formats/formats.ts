import { alertmanager } from './alertmanager/alertmanager';
import { custom } from './custom/custom';
import { discord } from './discord/discord';
import type { EditableProduct } from './editable';
import type { Format } from './format';
import { googlechat } from './googlechat/google-chat';
import { mattermost } from './mattermost/mattermost';
import { ntfy } from './ntfy/ntfy';
import { opsgenie } from './opsgenie/opsgenie';
import { pagerduty } from './pagerduty/pager-duty';
import { pushover } from './pushover/pushover';
import { slack } from './slack/slack';
import { standard } from './standard/standard';
import { teams } from './teams/teams';
import { telegram } from './telegram/telegram';

/** The formats of webhook endpoints, in display order. No other file compares with the name of one. */
export const FORMATS = {
  standard,
  slack,
  discord,
  teams,
  mattermost,
  googlechat,
  alertmanager,
  pagerduty,
  opsgenie,
  ntfy,
  telegram,
  pushover,
  custom,
} as const satisfies Record<string, Format>;
export type WebhookFormat = keyof typeof FORMATS;

export const WEBHOOK_FORMATS = Object.keys(FORMATS) as [WebhookFormat, ...WebhookFormat[]];

/** The format of an endpoint that has not chosen one. */
export const DEFAULT_FORMAT = 'standard' satisfies WebhookFormat;

/** A format without what is particular to it. */
export const formatOf = (name: WebhookFormat): Format => FORMATS[name];

const BY_NAME = new Map<string, Format>(Object.entries(FORMATS));

/** The format with this name; null if there is none. */
export const findFormat = (name: string): Format | null => BY_NAME.get(name) ?? null;

/** Whether people read what an endpoint with this format gets. */
export const isReadByPeople = (name: string): boolean => findFormat(name)?.reader === 'people';

/** Whether receivers with this format verify signatures: products do not, whose URL or credentials are the secret. */
export const verifiesSignatures = (name: string): boolean => findFormat(name)?.reader === 'program';

/** Whether the template of an endpoint with this format writes what it gets. */
export function hasTemplate(name: string): boolean {
  const format = findFormat(name);
  return format?.reader === 'program' && format.body === 'template';
}

/** Whether an endpoint with this format is sent an event at once, even if something is down that the monitor depends on. */
export function isSentAtOnce(name: string): boolean {
  const format = findFormat(name);
  return format?.reader === 'program' && !format.awaitsCause;
}

/** The product of an endpoint, if its messages can be edited; null for others. */
export function editableProduct(name: string, hasCredentials: boolean): EditableProduct | null {
  const format = findFormat(name);
  if (format?.reader !== 'people' || format.edits === undefined) return null;
  const { product, needsCredentials } = format.edits;
  return needsCredentials && !hasCredentials ? null : product;
}
