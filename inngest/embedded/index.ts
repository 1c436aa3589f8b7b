// The door of this folder: lint lets nobody in by another way.
export { createEmbeddedDriver, type EmbeddedDriver } from './driver';
