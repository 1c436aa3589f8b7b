/// <reference types="@maxim_mazurok/gapi.client.chat-v1" />
import type { Mistake } from '../../testing/mistake';

export type Published = gapi.client.chat.Message;

export const MISTAKES: Mistake[] = [
  ['"topLabel":', '"label":'],
  ['"wrapText":true', '"wrapText":"true"'],
];
