import type { PageTexts } from './page-texts';

export const ja: PageTexts = {
  subject: '{page}：{summary}',
  headings: {
    'incident.created': '新しい障害',
    'incident.updated': '障害の続報',
    'incident.resolved': '解決した障害',
    'maintenance.started': '実施中のメンテナンス',
    'maintenance.finished': '終了したメンテナンス',
    'maintenance.cancelled': '中止されたメンテナンス',
    'maintenance.moved': '日時が変更されたメンテナンス',
    'maintenance.planned': '予定されたメンテナンス',
  },
  status: {
    investigating: '調査中',
    identified: '原因特定',
    monitoring: '経過観察中',
    resolved: '解決済み',
  },
  incident: '{title}（{status}）',
  maintenance: {
    'maintenance.planned': 'メンテナンスの予定：{title}',
    'maintenance.moved': 'メンテナンスの日時変更：{title}',
    'maintenance.cancelled': 'メンテナンスの中止：{title}',
    'maintenance.started': 'メンテナンスを開始しました：{title}',
    'maintenance.finished': 'メンテナンスが終了しました：{title}',
  },
  span: '{from} から {to} まで。',
  spanIfMoved: '変更後：{from} から {to} まで。',
  spanIfCanceled: '当初の予定：{from} から {to} まで。',
  several: '{things}のお知らせ',
  incidents: { other: '障害 {n} 件' },
  windows: { other: 'メンテナンス {n} 件' },
  affected: '対象：{names}',
  more: 'ほか {n} 件',
  privateSummary: '新しいお知らせ',
  privateText:
    'ステータスページ {page} に新しいお知らせがあります。非公開のページのため、このメールには内容を記載していません。ページを開いてご覧ください。',
  openIncident: '障害を見る',
  openPage: 'ステータスページを見る',
  footnote: 'このメールは、{page} のステータスページを購読しているアドレスにお送りしています。',
  unsubscribe: '設定の変更・配信の停止',
  confirmation: {
    subject: '{page} の購読を確認してください',
    preheader: '確認すると、障害とメンテナンスのお知らせが届きます。',
    requested: 'このアドレスに {page} の障害とメンテナンスのお知らせを送るよう申し込みがありました。',
    whatToDo:
      'お申し込みになった場合は、{days} 日以内に確認してください。心当たりがない場合は、このメールを無視してください。以後メールは届きません。',
    endpointRequested:
      '{page} の障害とメンテナンスを {host} に送信するよう申し込みがあり、このアドレスが所有者として指定されました。',
    imported: '{page} から、このアドレスに障害とメンテナンスのお知らせをお送りしたいと考えています。',
    ifWanted:
      '希望される場合は、{days} 日以内に確認してください。希望されない場合は、このメールを無視してください。',
    button: '購読を確認する',
  },
  endpoint: {
    started: {
      subject: '{page} から {host} への通知を開始しました',
      text: '今後、{page} の障害とメンテナンスが {host} に通知されます。このメールを保管してください。リンク先でシステムの選択、署名シークレットの更新、購読の解除ができます。',
    },
    stopped: {
      subject: '{page} から {host} への通知を停止しました',
      text: '{host} が 5 日間通知を受け付けなかったため、{page} は送信を停止しました。復旧後、リンク先で再開できます。',
    },
    manage: '購読を管理する',
  },
};
