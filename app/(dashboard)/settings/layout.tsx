import { type ReactNode, Suspense } from 'react';
import { Tabs } from '@/components/ui/navigation/tabs';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { settingsSections } from './sections';
import { VersionNote } from './version-note';

/** The frame of all settings pages, which consist of `SettingsSection`s. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const session = await requireSession();
  const { ctx } = session;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="flex min-h-8 items-center text-lg font-semibold">Settings</h1>
        {/* Above what loads: below, it would move. */}
        {permits(ctx, 'audit.read') ? (
          <p className="text-muted text-sm">
            <Suspense>
              <VersionNote />
            </Suspense>
          </p>
        ) : null}
      </div>
      <Tabs label="Settings" tabs={settingsSections(session)} />
      <div className="flex flex-col gap-8 pt-2">{children}</div>
    </div>
  );
}
