import { z } from 'zod';
import { storableText } from '@/lib/core/storable-text';
import type { Incident } from './incidents/incident';
import type { Monitor } from './monitor';

const MAX_SEARCH = 200;

/** A search text, parsed to lower-case words that must all match. */
export const searchSchema = z
  .string()
  .max(MAX_SEARCH)
  .transform((typed) => storableText(typed).toLowerCase().split(/\s+/).filter(Boolean));

export type FoundMonitor = {
  id: string;
  name: string;
  type: Monitor['type'];
  url: string;
  status: Monitor['status'];
  enabled: boolean;
  maintenance: boolean;
  /** ISO 8601; null while results arrive. */
  noDataSince: Monitor['noDataSince'];
};

export type FoundStatusPage = { slug: string; name: string; published: boolean };
export type FoundIncident = { id: string; title: string; status: Incident['status'] };
/** A section of the guide, and the page with it. */
export type FoundHelp = { href: string; label: string; hint: string };

/** Search results, best match first; `here` is the monitor on the screen. */
export type Found = {
  here: FoundMonitor | null;
  monitors: FoundMonitor[];
  statusPages: FoundStatusPage[];
  incidents: FoundIncident[];
  help: FoundHelp[];
};
