// The door of this folder: lint lets nobody in by another way.
export {
  addSecretKey,
  ensureDataDir,
  forgetPreviousSecretKeys,
  lockDataDir,
  readOrCreateSecrets,
  readSecrets,
  type Secrets,
} from './data-dir';
export { findRunningPostgres } from './running-server';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres';
