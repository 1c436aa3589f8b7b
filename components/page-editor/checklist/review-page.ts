import { formatNames } from '@/components/incidents/incident-texts';
import type { DomainStatus } from '@/lib/schemas/status-pages/status-page';
import { findUnreadableColors, type PageValues } from '../page-values';

/** What a monitor shows on a page: paused, never checked yet, or its status. */
export type MonitorReadiness = { id: string; name: string; enabled: boolean; isPending: boolean };

/** What the editor knows besides the form. */
export type PageSurroundings = {
  /** The monitors of the organization. */
  monitors: readonly MonitorReadiness[];
  /** Null for a new page. */
  domain: DomainStatus['status'] | null;
  /** Whether visitors could subscribe. */
  canSubscribe: boolean;
  /** Of the logos in the preview; null while it is not known. */
  isLogoLoaded: boolean | null;
};

/** Where something is done about a finding: a tab of the page, or a page of the dashboard. */
export type FindingPlace = 'domain' | 'subscribers' | 'monitors';

/** Something to look at before a page is published. */
export type PageFinding = { title: string; advice: string; place: FindingPlace | null };

/** What to look at before a page is published, most important first. Nothing here keeps anyone from publishing. */
export function reviewPage(values: PageValues, around: PageSurroundings): PageFinding[] {
  const found = [
    reviewRows(values),
    ...reviewMonitors(values, around.monitors),
    reviewDomain(around.domain),
    ...reviewLogo(values, around.isLogoLoaded),
    reviewColors(values),
    reviewEmails(around.canSubscribe),
  ];
  return found.filter((finding) => finding !== null);
}

function reviewRows({ monitors, sections }: PageValues): PageFinding | null {
  const rows = sections.length === 0 ? monitors : sections.flatMap((section) => section.rows);
  if (rows.length === 0) {
    return { title: 'The page has no rows', advice: 'Add monitors or components.', place: null };
  }
  const empty = sections.filter((section) => section.rows.length === 0);
  if (empty.length === 0) return null;
  const names = formatNames(empty.map(({ name }) => name.trim() || 'Untitled'));
  const title = empty.length === 1 ? `Section ${names} is empty` : `Sections ${names} are empty`;
  return { title, advice: 'Visitors don’t see empty sections. Add rows or remove them.', place: null };
}

function reviewMonitors(values: PageValues, all: readonly MonitorReadiness[]): (PageFinding | null)[] {
  const shown = all.filter(({ id }) => values.monitors.includes(id));
  const report = (title: string, found: readonly MonitorReadiness[], advice: string): PageFinding | null => {
    const names = formatNames(found.map(({ name }) => name));
    return found.length === 0 ? null : { title: `${title}: ${names}`, advice, place: 'monitors' };
  };
  const paused = shown.filter(({ enabled }) => !enabled);
  const pending = shown.filter(({ enabled, isPending }) => enabled && isPending);
  return [
    report('Paused', paused, 'Visitors see “Paused”. Enable the checks or remove the rows.'),
    report('Not checked yet', pending, 'Visitors see “No data yet” until the first check.'),
  ];
}

function reviewDomain(domain: PageSurroundings['domain']): PageFinding | null {
  if (domain === null || domain === 'none' || domain === 'verified') return null;
  const advice = 'Until it is, visitors reach the page only at the address above. Create its DNS records.';
  return { title: 'The custom domain is not verified', advice, place: 'domain' };
}

function reviewLogo(values: PageValues, isLoaded: boolean | null): (PageFinding | null)[] {
  const broken = 'Check its URL. Until then, visitors see only the name of the page.';
  const dark = 'Check the dark preview, and add one if your logo is hard to see.';
  const hasLogo = values.logoUrl.trim() !== '';
  const needsDark = hasLogo && values.darkLogoUrl.trim() === '' && values.appearance === 'automatic';
  return [
    isLoaded === false ? { title: 'The logo could not be loaded', advice: broken, place: null } : null,
    needsDark ? { title: 'No logo for dark backgrounds', advice: dark, place: null } : null,
  ];
}

function reviewColors(values: PageValues): PageFinding | null {
  const unreadable = findUnreadableColors(values);
  if (unreadable.length === 0) return null;
  const names = formatNames(unreadable.map(({ label }) => label.toLowerCase()));
  const advice = 'Visitors see the color that is suggested below it instead.';
  return { title: `Hard to read: ${names}`, advice, place: null };
}

function reviewEmails(canSubscribe: boolean): PageFinding | null {
  if (canSubscribe) return null;
  const advice = 'Email or the public URL is not configured. Feeds work.';
  return { title: 'Visitors can’t subscribe', advice, place: 'subscribers' };
}
