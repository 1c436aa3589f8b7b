import type { ServiceTexts } from './texts';

export const ja: ServiceTexts = {
  down: '{name} が停止しています',
  degraded: '{name} の性能が低下しています',
  isDown: '{name} が停止しています。',
  isSlow: '{name} の性能が低下しています。',
  isSlowAgain: '{name} は再び応答していますが、性能が低下しています。',
  isUp: '{name} は復旧しました。',
  changed: 'この障害の内容が変更されました。',
  resolved: 'この障害は解決しました。',
  reopened: 'この障害は再開されました。',
  nowInvestigating: 'この障害を調査しています。',
  nowIdentified: 'この障害の原因を特定しました。',
  nowMonitoring: 'この障害の経過を観察しています。',
  quietMinute: 'この障害は解決しました。1 分間、新たな問題は発生していません。',
  quietMinutes: 'この障害は解決しました。{n} 分間、新たな問題は発生していません。',
};
