import './estimate-checks.test';
