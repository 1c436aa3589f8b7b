import type { Found } from '@/lib/schemas/search';
import type { Theme } from '../theme';

type Named = { id: string; name: string };

/** What of the things that can be made and changed this person may. */
export type MayDo = {
  createMonitor: boolean;
  updateMonitor: boolean;
  createIncident: boolean;
  createStatusPage: boolean;
  createMaintenance: boolean;
};

/** What the palette offers and what it can do; the last are server actions, of which some answer what went wrong. */
export type PaletteProps = {
  may: MayDo;
  /** The parts of the settings that this person may see. */
  settings: readonly { href: string; label: string }[];
  organization: Named;
  organizations: readonly Named[];
  search: (typed: string, here: string | null) => Promise<Found>;
  switchMonitor: (id: string, enabled: boolean) => Promise<string | null>;
  switchTo: (organizationId: string) => Promise<void>;
  setTheme: (theme: Theme) => Promise<void>;
  signOut: () => Promise<void>;
};
