import {
  createCorrection,
  deleteCorrection,
  listCorrections,
} from '@/lib/domain/monitors/corrections/change-corrections';
import { aCorrectable, aCorrection, aMonitor, reads, type VerbCall, writes } from './verb-call';

/** The calls of the verbs about corrections of the ledger. */
export const CORRECTION_CALLS: Record<string, VerbCall> = {
  'monitors/createCorrection': writes(
    'correction.create',
    (ctx, { monitorId, input }) => createCorrection(ctx, monitorId, input),
    aCorrectable,
  ),
  'monitors/deleteCorrection': writes(
    'correction.delete',
    (ctx, { monitorId, id }) => deleteCorrection(ctx, monitorId, id),
    aCorrection,
  ),
  'monitors/listCorrections': reads('correction.read', listCorrections, aMonitor),
};
