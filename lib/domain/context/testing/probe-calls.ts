import { countByRegion } from '@/lib/domain/monitors/lists/list-monitors';
import { listOwnProbes, listRegionProbes } from '@/lib/domain/probes/list-probes';
import {
  createRegionToken,
  listOwnTokens,
  listRegionTokens,
  revokeRegionToken,
  rotateRegionToken,
} from '@/lib/domain/regions/region-tokens';
import { reads, type VerbCall, writes } from './verb-call';
import type { World } from './world';

const aToken = (world: World) => world.probeToken();

/** The verbs on the probes of own regions, and on their tokens. */
export const PROBE_CALLS: Record<string, VerbCall> = {
  'regions/createRegionToken': writes(
    'probe-token.create',
    (ctx, { regionId }) => createRegionToken(ctx, regionId, { name: 'Office' }),
    aToken,
  ),
  'regions/rotateRegionToken': writes(
    'probe-token.rotate',
    (ctx, token) => rotateRegionToken(ctx, token, { overlapHours: 1 }),
    aToken,
  ),
  'regions/revokeRegionToken': writes('probe-token.revoke', revokeRegionToken, aToken),
  'regions/listRegionTokens': reads(
    'probe-token.read',
    (ctx, { regionId }) => listRegionTokens(ctx, regionId),
    aToken,
  ),
  'regions/listOwnTokens': reads('probe-token.read', listOwnTokens, aToken),
  'monitors/countByRegion': reads('monitor.read', countByRegion),
  'probes/listRegionProbes': reads(
    'probe.read',
    (ctx, { regionId }) => listRegionProbes(ctx, regionId),
    (world: World) => world.probe(),
  ),
  'probes/listOwnProbes': reads('probe.read', listOwnProbes, (world: World) => world.probe()),
};
