import './message-deliveries.test';
