import './retention.test';
