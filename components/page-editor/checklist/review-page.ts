import type { DomainStatus } from '@/lib/schemas/status-pages/status-page';
import { findUnreadableColors, isAlwaysDark, type PageValues } from '../page-values';

/** What a monitor shows on a page: paused, never checked yet, or its status. */
export type MonitorReadiness = { id: string; name: string; enabled: boolean; isPending: boolean };

/** What the editor knows besides the form. */
export type PageSurroundings = {
  /** The monitors of the organization. */
  monitors: readonly MonitorReadiness[];
  /** Null for a new page. */
  domain: DomainStatus['status'] | null;
  /** Whether visitors could subscribe to emails. */
  canSubscribe: boolean;
  /** Of the logos in the preview; null while it is not known. */
  isLogoLoaded: boolean | null;
};

/** Where something is done about a finding: a tab of the page, or a page of the dashboard. */
export type FindingPlace = 'domain' | 'subscribers' | 'monitors';

/** Something to look at before a page is published. */
export type Finding = { title: string; advice: string; place: FindingPlace | null };

/** Names in a sentence; the others are counted. */
const MAX_NAMES = 3;

/** What to look at before a page is published, most important first. Nothing here keeps anyone from publishing. */
export function reviewPage(values: PageValues, around: PageSurroundings): Finding[] {
  return [
    ...reviewRows(values),
    ...reviewMonitors(values, around.monitors),
    ...reviewDomain(around.domain),
    ...reviewLook(values, around.isLogoLoaded),
    ...(around.canSubscribe
      ? []
      : [
          {
            title: 'Visitors can’t subscribe to emails',
            advice: 'Email or the public URL is not configured. Feeds work.',
            place: 'subscribers' as const,
          },
        ]),
  ];
}

function reviewRows({ monitors, sections }: PageValues): Finding[] {
  const rows = sections.length === 0 ? monitors : sections.flatMap((section) => section.rows);
  if (rows.length === 0) {
    return [{ title: 'The page has no rows', advice: 'Add monitors or components.', place: null }];
  }
  const empty = sections.filter((section) => section.rows.length === 0);
  if (empty.length === 0) return [];
  const names = listNames(empty.map(({ name }) => name.trim() || 'Untitled'));
  const title = empty.length === 1 ? `Section ${names} is empty` : `Sections ${names} are empty`;
  return [{ title, advice: 'Visitors don’t see empty sections. Add rows or remove them.', place: null }];
}

function reviewMonitors(values: PageValues, all: readonly MonitorReadiness[]): Finding[] {
  const shown = all.filter(({ id }) => values.monitors.includes(id));
  const paused = shown.filter(({ enabled }) => !enabled);
  const pending = shown.filter(({ enabled, isPending }) => enabled && isPending);
  return [
    ...(paused.length > 0
      ? [
          {
            title: `Paused: ${listNames(paused.map(({ name }) => name))}`,
            advice: 'Visitors see “Paused”. Enable the checks or remove the rows.',
            place: 'monitors' as const,
          },
        ]
      : []),
    ...(pending.length > 0
      ? [
          {
            title: `Not checked yet: ${listNames(pending.map(({ name }) => name))}`,
            advice: 'Visitors see “No data yet” until the first check.',
            place: 'monitors' as const,
          },
        ]
      : []),
  ];
}

function reviewDomain(domain: PageSurroundings['domain']): Finding[] {
  if (domain === null || domain === 'none' || domain === 'verified') return [];
  const advice = 'Until it is, visitors reach the page only at the address above. Create its DNS records.';
  return [{ title: 'The custom domain is not verified', advice, place: 'domain' }];
}

function reviewLook(values: PageValues, isLogoLoaded: boolean | null): Finding[] {
  const hasLogo = values.logoUrl.trim() !== '';
  const unreadable = findUnreadableColors(values);
  return [
    ...(isLogoLoaded === false
      ? [
          {
            title: 'The logo could not be loaded',
            advice: 'Check its URL. Visitors see the name of the page alone.',
            place: null,
          },
        ]
      : []),
    ...(hasLogo && values.darkLogoUrl.trim() === '' && !isAlwaysDark(values)
      ? [
          {
            title: 'No logo for dark backgrounds',
            advice: 'Look at the preview in dark, and add one if yours is hard to see.',
            place: null,
          },
        ]
      : []),
    ...(unreadable.length > 0
      ? [
          {
            title: `Hard to read: ${listNames(unreadable.map(({ label }) => label.toLowerCase()))}`,
            advice: 'Visitors see the color that is suggested below it instead.',
            place: null,
          },
        ]
      : []),
  ];
}

function listNames(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
