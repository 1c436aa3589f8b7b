import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { switchAction } from '@/app/(auth)/organizations/actions';
import { getTheme } from '@/app/theme-cookie';
import { RegionNamesProvider } from '@/components/monitors/regions/region-names';
import { BottomBar } from '@/components/shell/bottom-bar';
import { ExactTimes } from '@/components/shell/exact-times';
import { FactorNote } from '@/components/shell/factor-note';
import { OrganizationMenu } from '@/components/shell/menus/organization-menu';
import { UserMenu } from '@/components/shell/menus/user-menu';
import { OutageTab } from '@/components/shell/outage-tab/outage-tab';
import { PaletteButton } from '@/components/shell/palette/palette-button';
import { ShellKeys } from '@/components/shell/shell-keys';
import { CutOffNote, SilenceNote, SilentRegionsNote } from '@/components/shell/silence-notes';
import { CANVAS } from '@/components/shell/theme';
import { TopBar } from '@/components/shell/top-bar';
import { Toasts } from '@/components/ui/toasts/toasts';
import { type Action, permits } from '@/lib/domain/context/permissions';
import { getEnvironment } from '@/lib/env';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { loadFrame } from './act';
import { countDownAction, setThemeAction, signOutAction } from './actions';
import { searchAction, switchMonitorAction } from './palette/actions';
import { settingsSections } from './settings/sections';

/** The actions that the palette offers. */
const PALETTE_ACTIONS: Action[] = [
  'monitor.create',
  'monitor.update',
  'incident.create',
  'status-page.create',
  'maintenance.create',
];

/** For all pages of the dashboard: each reads the session. */
export const dynamic = 'force-dynamic';

/** Only the dashboard can be installed as an app, not the pages of visitors. */
export const metadata: Metadata = { manifest: '/manifest.webmanifest' };

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: CANVAS.light },
    { media: '(prefers-color-scheme: dark)', color: CANVAS.dark },
  ],
};

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await requireSession();
  const { ctx, email, organizationName, factorFrom } = session;
  const { organizations, failedDeliveries, workers, down } = await loadFrame();
  return (
    <>
      {/* As metadata, it would replace the icon of all pages. */}
      <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
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
        <PaletteButton />
        <UserMenu email={email} theme={await getTheme()} setTheme={setThemeAction} signOut={signOutAction} />
      </TopBar>
      <main id="content" className="mx-auto max-w-7xl px-4 pt-6 pb-[calc(var(--bottom)+1.5rem)] sm:px-6">
        <FactorNote from={factorFrom} organizationName={organizationName} now={ctx.clock.now()} />
        <SilenceNote since={workers.inngestSilentSince} now={ctx.clock.now()} />
        <RegionNamesProvider names={workers.regionNames}>
          <CutOffNote regions={workers.cutOff} now={ctx.clock.now()} />
          <SilentRegionsNote regions={workers.unserved} names={workers.regionNames} now={ctx.clock.now()} />
          {children}
        </RegionNamesProvider>
      </main>
      <BottomBar failedDeliveries={failedDeliveries} />
      <ShellKeys
        may={PALETTE_ACTIONS.filter((action) => permits(ctx, action))}
        settings={settingsSections(session)}
        organization={{ id: ctx.organizationId, name: organizationName }}
        organizations={organizations}
        search={searchAction}
        switchMonitor={switchMonitorAction}
        switchTo={switchAction}
        setTheme={setThemeAction}
        signOut={signOutAction}
      />
      <OutageTab down={down} countDown={countDownAction} />
      <ExactTimes />
      <Toasts />
    </>
  );
}
