import { describe, expect, it } from 'vitest';
import { DASHBOARD_PATHS, visitDashboardOfOthers } from './testing/dashboard-of-others';

const { requireUnknown, requireEmpty, compareWithMissing } = visitDashboardOfOthers();

describe('every page and export of the dashboard', () => {
  it.each(DASHBOARD_PATHS.filter((path) => path.includes('[')))(
    '%s does not exist for another organization',
    async (path) => {
      await requireUnknown(path);
      const [theirs, missing] = await compareWithMissing(path);
      expect(theirs).toBe(missing);
    },
  );
  it.each(DASHBOARD_PATHS.filter((path) => !path.includes('[')))(
    '%s shows nothing of another organization',
    requireEmpty,
  );
});
