import './offline.test';
