import { it } from 'vitest';
import { MIGRATION_NAMES } from './testing/old-databases';
import { useUpgrades } from './testing/use-upgrades';

const upgrade = useUpgrades();

it.each([0, ...MIGRATION_NAMES.map((_, place) => place + 1)])(
  'a filled database with schema %d migrates, keeps its rows, and continues to serve that version',
  (number) => upgrade(number),
);
