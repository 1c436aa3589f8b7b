import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createStatusPage, updateStatusPage } from '@/lib/domain/status-pages/change-status-page';
import type { PageSettings } from '@/lib/domain/status-pages/page-row';
import { getStatusPage, listStatusPages } from '@/lib/domain/status-pages/read-status-pages';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import {
  createStatusPageSchema,
  type StatusPage,
  updateStatusPageSchema,
} from '@/lib/schemas/status-pages/status-page';
import { parseInput } from '@/lib/schemas/validation';

/** The settings of the tests: custom domains require proof, and no name server is configured. */
export const SETTINGS: PageSettings = {
  appUrl: 'https://pharos.example.com',
  needsProof: true,
  dnsServers: [],
  knowsAddresses: true,
};
let created = 0;

/** A slug that no other test uses. */
export function newSlug(): string {
  created += 1;
  return `page-${process.pid}-${created}`;
}

/** Creates a page from a request body, as the route does; name, slug and monitors have defaults. */
export async function addPage(ctx: OrganizationContext, fields: object = {}): Promise<StatusPage> {
  const body = { name: 'Acme', slug: newSlug(), monitors: [], ...fields };
  return createStatusPage(ctx, parseInput(createStatusPageSchema, body), SETTINGS);
}

/** Changes a page by a request body, as the route does. */
export async function changePage(ctx: OrganizationContext, slug: string, body: object): Promise<StatusPage> {
  return updateStatusPage(ctx, slug, parseInput(updateStatusPageSchema, body), SETTINGS);
}

/** Reads a page, as the route does. */
export async function readPage(ctx: OrganizationContext, slug: string): Promise<StatusPage> {
  return getStatusPage(ctx, slug, SETTINGS);
}

/** Reads all pages, as the route does. */
export async function listPages(ctx: OrganizationContext): Promise<StatusPage[]> {
  return listStatusPages(ctx, SETTINGS);
}

/** Creates a monitor and returns its ID. */
export async function addMonitor(ctx: OrganizationContext, fields: object = {}): Promise<string> {
  const body = { name: 'Shop', url: 'http://shop.test/', ...fields };
  return (await createMonitor(ctx, parseInput(createMonitorSchema, body))).id;
}

/** Why work was rejected: the error code, and each field with its own code. */
export async function refusal(work: Promise<unknown>): Promise<[string, ...string[]]> {
  const error = await work.then(
    () => {
      throw new Error('nothing was rejected');
    },
    (reason) => reason,
  );
  if (!error.code) throw error;
  return [
    error.code,
    ...(error.details ?? []).map((d: { path: string; code: string }) => `${d.path} ${d.code}`),
  ];
}
