import type { Metadata } from 'next';
import { isOnePlace, nameRegions } from '@/components/monitors/regions/name-region';
import { BuiltInRegions, OnePlace } from '@/components/regions/built-in-regions';
import { NewRegion } from '@/components/regions/new-region';
import { OwnRegion, type RegionActions } from '@/components/regions/own-region';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { EmptyNote } from '@/components/ui/section';
import { SettingsSection } from '@/components/ui/settings-section';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { permits } from '@/lib/domain/context/permissions';
import { countByRegion } from '@/lib/domain/monitors/lists/list-monitors';
import { listOwnProbes } from '@/lib/domain/probes/list-probes';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { listOwnTokens } from '@/lib/domain/regions/region-tokens';
import { formatPlace, PLACES } from '@/lib/schemas/regions/places';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { version } from '@/package.json';
import { loadWorkerNotes } from '../../act';
import { refreshAction } from '../../actions';
import {
  createRegionAction,
  createTokenAction,
  deleteRegionAction,
  revokeTokenAction,
  rotateTokenAction,
  updateRegionAction,
} from './actions';

export const metadata: Metadata = { title: 'Regions' };

const ACTIONS: RegionActions = {
  update: updateRegionAction,
  remove: deleteRegionAction,
  createToken: createTokenAction,
  rotate: rotateTokenAction,
  revoke: revokeTokenAction,
};

export default async function RegionsPage() {
  const { ctx } = await requireSession();
  const [regions, monitors, probes, tokens, { limits, organization }, { regionNames }] = await Promise.all([
    // Who serves the built-in regions is the operator's matter.
    listRegions(ctx, { showsHosts: false }),
    countByRegion(ctx),
    listOwnProbes(ctx),
    listOwnTokens(ctx),
    readMe(ctx),
    loadWorkerNotes(),
  ]);
  const builtIn = regions.filter(({ isOwn }) => !isOwn);
  const [place] = nameRegions(
    regionNames,
    builtIn.map(({ id }) => id),
  );
  const now = ctx.clock.now().toISOString();
  const own = regions.filter(({ isOwn }) => isOwn);
  const manages = permits(ctx, 'region.create');
  const mayCreate = manages && own.length < limits.ownRegions;
  const places = PLACES.map(({ id }) => formatPlace(id));
  return (
    <>
      <AutoRefresh refresh={refreshAction} of={['changes', 'probes']} />
      <SettingsSection title="Built-in regions" isWide>
        {place && isOnePlace(place) ? (
          <OnePlace name={place} regions={builtIn} now={now} />
        ) : (
          <BuiltInRegions regions={builtIn} included={limits.regions} monitors={monitors} now={now} />
        )}
      </SettingsSection>
      <SettingsSection
        title="Own regions"
        isWide
        aside={mayCreate ? <NewRegion places={places} create={createRegionAction} /> : null}
        lead={
          <>
            A probe checks monitors from a network of yours. It needs only the address of this service and a
            token.{manages ? '' : ' Only admins and owners can create regions and tokens.'}
          </>
        }
      >
        {own.length === 0 ? <EmptyNote>{formatEmpty(limits.ownRegions, organization.plan)}</EmptyNote> : null}
        {own.map((region) => (
          <OwnRegion
            key={region.id}
            region={region}
            monitors={monitors.get(region.id) ?? 0}
            probes={probes.filter((probe) => probe.region === region.id)}
            tokens={tokens.filter((token) => token.region === region.id)}
            places={places}
            serviceVersion={version}
            now={now}
            actions={manages ? ACTIONS : undefined}
          />
        ))}
      </SettingsSection>
    </>
  );
}

function formatEmpty(limit: number, plan: string): string {
  return limit === 0
    ? `The ${plan} plan does not include own regions. The operator of this service can change the plan.`
    : 'No own regions yet. Create one, then start a probe in it.';
}
