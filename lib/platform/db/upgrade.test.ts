import { it } from 'vitest';
import { useUpgrades } from './testing/use-upgrades';

const upgrade = useUpgrades();

// Every schema: upgrade.thorough.test.ts.
it('a filled database of the first release migrates, keeps its rows, and continues to serve that version', () =>
  upgrade(1));
