// The public interface of this folder, enforced by lint.
export { createEmbeddedDriver, type EmbeddedDriver } from './driver';
