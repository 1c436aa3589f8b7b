import type { ReactNode } from 'react';
import { getTheme } from '@/app/theme-cookie';
import { TopBar } from '@/components/shell/top-bar';
import { UserMenu } from '@/components/shell/user-menu';
import { getEnvironment } from '@/lib/env';
import { requireSession } from '@/lib/http/dashboard-session';
import { countFailedDeliveries } from '@/lib/webhooks/read-failed';
import { setThemeAction, signOutAction } from './actions';
import { settingsSections } from './settings/sections';

export const dynamic = 'force-dynamic';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { ctx, email, organizationName } = await requireSession();
  return (
    <>
      <TopBar
        serviceName={getEnvironment().SERVICE_NAME}
        organizationName={organizationName}
        failedDeliveries={await countFailedDeliveries(ctx)}
        hasSettings={settingsSections(ctx).length > 0}
      >
        <UserMenu email={email} theme={await getTheme()} setTheme={setThemeAction} signOut={signOutAction} />
      </TopBar>
      <main id="content" className="mx-auto max-w-7xl px-4 py-6 sm:px-6">
        {children}
      </main>
    </>
  );
}
