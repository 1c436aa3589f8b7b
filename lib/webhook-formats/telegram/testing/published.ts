import type { ApiMethods } from '@grammyjs/types';
import type { Mistake } from '../../testing/mistake';

export type Published = Parameters<ApiMethods<never>['sendMessage']>[0];
export type PublishedEdit = Parameters<ApiMethods<never>['editMessageText']>[0];

export const MISTAKES: Mistake[] = [
  ['"is_disabled":', '"disabled":'],
  ['"parse_mode":"HTML"', '"parse_mode":"html"'],
];
