import './product-deliveries.test';
