import './delivery-formats.test';
