import './leak.test';
