import { describe, it } from 'vitest';
import { DASHBOARD_PATHS, visitDashboardOfOthers } from './testing/dashboard-of-others';

const { requireUnknown, requireEmpty } = visitDashboardOfOthers();

/** A page of one object, one that changes it, an export, and lists; all paths are in dashboard-tenancy.thorough.test.ts. */
const OF_ONE = ['/monitors/[id]', '/incidents/[id]', '/notifications/[id]', '/status-pages/[slug]'];
const LISTS = ['/incidents', '/monitors', '/notifications', '/settings/members', '/status-pages'];

describe('the dashboard', () => {
  it.each(DASHBOARD_PATHS.filter((path) => OF_ONE.includes(path)))(
    '%s does not exist for another organization',
    requireUnknown,
  );
  it.each(DASHBOARD_PATHS.filter((path) => LISTS.includes(path)))(
    '%s shows nothing of another organization',
    requireEmpty,
  );
});
