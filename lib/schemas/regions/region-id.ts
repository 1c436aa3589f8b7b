import { z } from 'zod';
import { idText } from '../text';
import { BUILT_IN_REGION_IDS, isRegionId, REGION_FORM, type RegionId, UNKNOWN_REGION } from '.';

type RegionText = z.ZodType<RegionId, RegionId>;

const examples = [...BUILT_IN_REGION_IDS];

/** A region ID in responses: written as any other text, because thousands are. */
export const regionIdSchema = z
  .string()
  .regex(new RegExp(REGION_FORM))
  .meta({ examples }) as unknown as RegionText;

/** A region ID as sent, still to be checked: the regions of a monitor are, all at once. */
export const sentRegionSchema = idText('must be a string').meta({
  pattern: REGION_FORM,
  examples,
}) as unknown as RegionText;

/** A query parameter, or an argument, that names a region. */
export const regionQuery = idText('must be a region ID')
  .refine(isRegionId, UNKNOWN_REGION)
  .meta({ pattern: REGION_FORM, examples }) as unknown as RegionText;
