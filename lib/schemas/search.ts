import { z } from 'zod';
import { storableText } from '@/lib/core/storable-text';
import type { Incident } from './incident';
import type { Monitor } from './monitor';

const LONGEST = 200;

/** What somebody types to find something: the words that all have to be there, in small letters. */
export const searchSchema = z
  .string()
  .max(LONGEST)
  .transform((typed) => storableText(typed).toLowerCase().split(/\s+/).filter(Boolean));

/** The id of a monitor, as an address has it. */
export const monitorIdSchema = z
  .string()
  .max(100)
  .regex(/^mon_[0-9a-z]{1,60}$/);

export type FoundMonitor = {
  id: string;
  name: string;
  url: string;
  status: Monitor['status'];
  enabled: boolean;
  maintenance: boolean;
  /** ISO 8601; null while data arrives. */
  noDataSince: Monitor['noDataSince'];
};

export type FoundStatusPage = { slug: string; name: string; published: boolean };

export type FoundIncident = { id: string; title: string; status: Incident['status'] };

/** What was found, the best first; `here` is the monitor on the screen. */
export type Found = {
  here: FoundMonitor | null;
  monitors: FoundMonitor[];
  statusPages: FoundStatusPage[];
  incidents: FoundIncident[];
};
