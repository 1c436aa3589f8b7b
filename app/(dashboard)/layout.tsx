import type { ReactNode } from 'react';
import { switchAction } from '@/app/(auth)/organizations/actions';
import { getTheme } from '@/app/theme-cookie';
import { OrganizationMenu } from '@/components/shell/organization-menu';
import { ShellKeys } from '@/components/shell/shell-keys';
import { SilenceNote } from '@/components/shell/silence-note';
import { TopBar } from '@/components/shell/top-bar';
import { UserMenu } from '@/components/shell/user-menu';
import { Toasts } from '@/components/ui/toasts';
import { getEnvironment } from '@/lib/env';
import { requireSession } from '@/lib/http/dashboard-session';
import { readInngestSilence } from '@/lib/monitors/read-inngest-silence';
import { listOwnOrganizations } from '@/lib/organizations/own-organizations';
import { countFailedDeliveries } from '@/lib/webhooks/read-failed';
import { setThemeAction, signOutAction } from './actions';

export const dynamic = 'force-dynamic';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { ctx, userId, email, organizationName } = await requireSession();
  const [organizations, failedDeliveries, silentSince] = await Promise.all([
    listOwnOrganizations(ctx, userId),
    countFailedDeliveries(ctx),
    readInngestSilence(ctx),
  ]);
  return (
    <>
      <TopBar
        serviceName={getEnvironment().SERVICE_NAME}
        organization={
          <OrganizationMenu
            current={{ id: ctx.organizationId, name: organizationName }}
            organizations={organizations}
            switchTo={switchAction}
          />
        }
        failedDeliveries={failedDeliveries}
      >
        <UserMenu email={email} theme={await getTheme()} setTheme={setThemeAction} signOut={signOutAction} />
      </TopBar>
      <main id="content" className="mx-auto max-w-7xl px-4 py-6 sm:px-6">
        <SilenceNote since={silentSince} now={ctx.clock.now()} />
        {children}
      </main>
      <ShellKeys />
      <Toasts />
    </>
  );
}
