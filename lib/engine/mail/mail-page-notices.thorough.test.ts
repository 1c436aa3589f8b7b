import './mail-page-notices.test';
