// The public interface of this folder, with application.ts, enforced by lint.
export type { CapturedResponse } from './captured-response';
export { type HostedPage, isInngestPath } from './hosts/resolve-host';
export { PageCache } from './page-cache';
export {
  type CountedMiss,
  PageFront,
  type PageResponse,
  type PageVisitors,
  type RoutedIncoming,
} from './page-front';
export { type Domain, startPageService } from './page-service';
export { onlyPass } from './private/credentials';
export { createHeldPages, type HeldPages } from './private/held-pages';
export type { WireResponse } from './stored-response';
