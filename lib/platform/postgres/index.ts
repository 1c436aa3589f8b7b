// The public interface of this folder, enforced by lint.

export { findBinaries, findBinariesIn, type PostgresBinaries } from './binaries';
export { beginUpgrade, completeUpgrade, readClusterMajor } from './cluster-upgrade';
export {
  addSecretKey,
  adoptSecretKeys,
  DataDirInUseError,
  ensureDataDir,
  forgetPreviousSecretKeys,
  lockDataDir,
  readOrCreateSecrets,
  readSecrets,
  type Secrets,
} from './data-dir';
export { findRunningPostgres } from './running-server';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres';
