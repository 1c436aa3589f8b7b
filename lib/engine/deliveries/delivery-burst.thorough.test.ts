import './delivery-burst.test';
